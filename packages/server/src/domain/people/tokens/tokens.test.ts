/** Which tokens may be made by whom, until when, who stands behind one, and which one cannot be deleted. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { idOf, PLATFORM_A } from "../../../../test/kit/person-rows.ts";
import type { Actor } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  creatorIn,
  lineageBelow,
  type Permission,
  peopleBehind,
  permissions,
  type Token,
  tokens,
} from "../../token.ts";
import {
  createToken,
  deleteToken,
  EXPIRED_ALREADY,
  refuseGrant,
  refuseLongerLife,
} from "./token-commands.ts";

const [TOKEN, OTHER, ANA, BO] = [idOf("1"), idOf("2"), idOf("3"), idOf("4")];

function token(id: string, more: Partial<Token> = {}): Token {
  return {
    id,
    name: "t",
    permissions: ["VIEW", "MANAGE"],
    clientId: `client-${id}`,
    secretHash: Buffer.from("hash"),
    expiresAt: null,
    createdBy: null,
    personId: null,
    lineage: [],
    createdAt: 1,
    updatedAt: 1,
    deletedAt: null,
    ...more,
  };
}

const secretHash = Buffer.from("secret");
const wanted = {
  name: "new",
  permissions: ["VIEW"] as const,
  clientId: "c",
  secretHash,
  lineage: [],
};
const at = (expiresAt: number | null) => ({ ...wanted, expiresAt });
const create = (input: Parameters<typeof createToken.decide>[1], actor?: Actor) =>
  decided({
    command: createToken,
    input,
    platformId: PLATFORM_A,
    tables: [],
    ...(actor === undefined ? {} : { actor }),
  });

function refused(act: () => void): string {
  try {
    act();
    return "decided";
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return named(thrown, "expiresAt", "permissions");
  }
}

describe("a token", () => {
  it.each([
    ["never", null, undefined],
    ["in a millisecond", DECIDED_AT + 1, undefined],
    ["now", DECIDED_AT, EXPIRED_ALREADY],
    ["a millisecond ago", DECIDED_AT - 1, EXPIRED_ALREADY],
    ["at the beginning of time", 0, EXPIRED_ALREADY],
  ])("that expires %s is made or refused", (_when, expiresAt, fault) => {
    const { refusal, output } = create(at(expiresAt));
    const expected = fault === undefined ? undefined : { errors: [fault] };
    if (fault === undefined) expect(output).toMatchObject({ expiresAt, deletedAt: null });
    else expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: expected });
  });

  it("is found by its client id from the commit that makes it", () => {
    expect(create(at(null)).world.handles).toEqual(["token:c"]);
  });

  it.each<[Actor, string, string | null]>([
    [{ kind: "person", id: ANA, personId: ANA }, `Person:${ANA}`, ANA],
    [{ kind: "token", id: TOKEN, personId: ANA }, `Token:${TOKEN}`, ANA],
    [{ kind: "token", id: TOKEN, personId: null }, `Token:${TOKEN}`, null],
    [{ kind: "operator", id: "none" }, "operator", null],
    [{ kind: "worker", id: "w" }, "operator", null],
  ])("of the actor %j is created by %s, and behind it stands %s", (actor, createdBy, personId) => {
    const lineage = [{ id: BO, until: null }];
    expect(create({ ...at(null), lineage }, actor).output).toMatchObject({
      createdBy,
      personId,
      lineage,
    });
    expect(creatorIn(actor, lineage)).toEqual({ createdBy, personId, lineage });
  });

  it("is the one's who asked for it, where another agreed", () => {
    const lineage = [{ id: BO, until: null }];
    const creator = { createdBy: `Person:${BO}`, personId: BO };
    const actor: Actor = { kind: "person", id: ANA, personId: ANA };
    expect(create({ ...at(null), lineage, creator }, actor).output).toMatchObject({
      ...creator,
      lineage,
    });
  });

  it("counts as itself and as those who stand behind it, while their time lasts", () => {
    const lineage = [
      { id: ANA, until: null },
      { id: BO, until: DECIDED_AT },
    ];
    const one = { id: TOKEN, lineage };
    expect(peopleBehind(one, DECIDED_AT - 1)).toEqual([ANA, BO, TOKEN]);
    expect(peopleBehind(one, DECIDED_AT)).toEqual([ANA, TOKEN]);
    expect(peopleBehind({ id: TOKEN, lineage: [] }, DECIDED_AT)).toEqual([TOKEN]);
  });

  it("hands its lineage on, which of a token of the operator begins with itself", () => {
    const lineage = [{ id: ANA, until: 7 }];
    expect(lineageBelow({ id: TOKEN, lineage })).toBe(lineage);
    expect(lineageBelow({ id: TOKEN, lineage: [] })).toEqual([{ id: TOKEN, until: null }]);
  });
});

const subsets: readonly (readonly Permission[])[] = Array.from({ length: 8 }, (_, bits) =>
  permissions.filter((_permission, place) => (bits & (1 << place)) !== 0),
);

describe("what a token grants", () => {
  it.each(subsets.flatMap((held) => subsets.map((asked) => [held, asked] as const)))(
    "%j may grant %j as the rule says",
    (held, asked) => {
      const excess = asked.filter((one) => !held.includes(one));
      const expected = excess.length === 0 ? "decided" : `FORBIDDEN ${excess}`;
      expect(refused(() => refuseGrant(asked, new Set(held)))).toBe(expected);
    },
  );

  const limit = Date.UTC(2027, 0, 1);
  const iso = "2027-01-01T00:00:00.000Z";

  it.each<[number | null, number | null, string]>([
    [null, null, "decided"],
    [limit, null, "decided"],
    [limit, limit, "decided"],
    [limit - 1, limit, "decided"],
    [limit + 1, limit, `FORBIDDEN ${iso}`],
    [null, limit, `FORBIDDEN ${iso}`],
  ])("lives to %s under one that lives to %s: %s", (asked, expiresAt, expected) => {
    expect(refused(() => refuseLongerLife(asked, { expiresAt }))).toBe(expected);
  });
});

interface Deleting {
  readonly tokens?: readonly Token[];
}

const remove = ({ tokens: some = [token(TOKEN), token(OTHER)] }: Deleting) =>
  decided({
    command: deleteToken,
    input: { tokenId: TOKEN },
    platformId: PLATFORM_A,
    tables: [rowsOf(tokens, ...some)],
  });

describe("the deletion of a token", () => {
  it.each(
    inOrder<Deleting>([
      ["TOKEN_NOT_FOUND", { tokens: [token(OTHER)] }],
      ["TOKEN_NOT_FOUND", { tokens: [token(TOKEN, { deletedAt: 7 }), token(OTHER)] }],
      ["INVALID_INPUT", { tokens: [token(TOKEN)] }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(remove(scene).refusal)).toBe(expected);
  });

  const viewer = { permissions: ["VIEW", "TRANSACT"] } as const;

  it.each<[string, readonly Token[], boolean]>([
    [
      "the last one, beside one that expires",
      [token(TOKEN), token(OTHER, { expiresAt: DECIDED_AT + 1 })],
      false,
    ],
    [
      "the last one, beside one that was deleted",
      [token(TOKEN), token(OTHER, { deletedAt: 7 })],
      false,
    ],
    ["the last one, beside one without MANAGE", [token(TOKEN), token(OTHER, viewer)], false],
    ["the last one that expires", [token(TOKEN, { expiresAt: DECIDED_AT + 1 })], true],
    ["the last one without MANAGE", [token(TOKEN, viewer)], true],
    ["one of two", [token(TOKEN), token(OTHER)], true],
    [
      "one that expires, beside a lasting one",
      [token(TOKEN, { expiresAt: 9 }), token(OTHER)],
      true,
    ],
  ])("of %s", (_which, some, isDeleted) => {
    const { refusal, world } = remove({ tokens: some });
    expect(named(refusal)).toBe(isDeleted ? "decided" : "INVALID_INPUT");
    const ended = written(world, tokens).map(({ id, deletedAt }) => [id, deletedAt]);
    expect(ended).toEqual(isDeleted ? [[TOKEN, DECIDED_AT]] : []);
  });
});
