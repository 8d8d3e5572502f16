/** Who may sign in with which passkey, how long a session lives, and how it ends. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import {
  challenge,
  idOf,
  newSession,
  passkey,
  person,
  type Staff,
  session,
  WORKSPACE,
  workspaceRows,
} from "../../../../test/kit/person-rows.ts";
import { spentProofs } from "../../wallets/credentials/spent-proof.ts";
import { personPasskeys } from "../passkey.ts";
import { type PersonState, people } from "../person.ts";
import { roles } from "../role.ts";
import { endPersonSessions, signOut } from "./end-sessions.ts";
import { noteCounterBack, noteRefusedSignIn } from "./note-refused-sign-in.ts";
import { MOST_SESSIONS, personSessions } from "./person-session.ts";
import { signIn, stepUp } from "./sign-in.ts";

const [ANA, OTTO] = [idOf("1"), idOf("2")];
const KEY = idOf("20");
const OLD = idOf("30");
const ana = person(ANA, "FINANCE");
const setting = (staff: Staff) => ({ platformId: WORKSPACE, tables: workspaceRows(staff) });

interface Proving extends Staff {
  readonly signCount?: bigint;
  readonly isSynced?: boolean;
}

const there: Staff = {
  people: [ana],
  passkeys: [passkey(KEY, ANA, { signCount: 5n })],
  sessions: [session(OLD, ANA)],
};

function proven({ signCount = 6n, isSynced = false, ...staff }: Proving) {
  const proof = { personId: ANA, passkeyId: KEY, signCount, isSynced, challenge };
  return { proof, setting: setting({ ...there, ...staff }) };
}

function enter(scene: Proving) {
  const { proof, setting: set } = proven(scene);
  return decided({ command: signIn, input: { ...proof, session: newSession }, ...set });
}

function showAgain(scene: Proving) {
  const { proof, setting: set } = proven(scene);
  const { lifeMs: _, ...rest } = newSession;
  return decided({ command: stepUp, input: { ...proof, sessionId: OLD, session: rest }, ...set });
}

/** The causes that have one answer, in any order: a stranger is told nothing by it. */
const UNPROVEN: readonly (readonly [string, Proving])[] = [
  ["UNAUTHORIZED", { passkeys: [] }],
  ["UNAUTHORIZED", { passkeys: [passkey(KEY, ANA, { signCount: 5n, deletedAt: 7 })] }],
  ["UNAUTHORIZED", { passkeys: [passkey(KEY, OTTO, { signCount: 5n })] }],
  ["UNAUTHORIZED", { people: [] }],
  ...(["INVITED", "SUSPENDED", "REMOVED"] satisfies readonly PersonState[]).map(
    (state) => ["UNAUTHORIZED", { people: [{ ...ana, state }] }] as const,
  ),
  ["UNAUTHORIZED", { signCount: 5n }],
  ["UNAUTHORIZED", { signCount: 4n }],
  ["UNAUTHORIZED", { signCount: 0n }],
  ["UNAUTHORIZED", { isSpent: true }],
];

describe("a sign-in with a passkey", () => {
  it.each(inOrder<Proving>([["FORBIDDEN SSO_REQUIRED", { isSsoRequired: true }]]))(
    "is refused with %s, %s",
    (expected, _how, scene) => {
      expect(named(enter({ ...scene, isSpent: true }).refusal, "reason")).toBe(expected);
    },
  );

  it.each(inOrder<Proving>(UNPROVEN))("is refused with %s, %s: %#", (expected, _how, scene) => {
    const { refusal } = enter(scene);
    expect(named(refusal)).toBe(expected);
    expect(refusal?.message).toBe(enter({ isSpent: true }).refusal?.message);
    expect(refusal?.details).toBeUndefined();
  });

  it.each(roles)("of %s, where an issuer is required, is open to owners alone", (role) => {
    const scene = { people: [person(ANA, role)], isSsoRequired: true };
    expect(named(enter(scene).refusal)).toBe(role === "OWNER" ? "decided" : "FORBIDDEN");
    // Nobody who is signed in is shut out of a step-up.
    expect(named(showAgain(scene).refusal)).toBe("decided");
  });

  it("opens a session for as long as the caller says, which no issuer vouches for", () => {
    const { output, world } = enter({ isSynced: true });
    expect(output).toMatchObject({
      personId: ANA,
      passkeyId: KEY,
      issuerId: null,
      createdAt: DECIDED_AT,
      provenAt: DECIDED_AT,
      expiresAt: DECIDED_AT + newSession.lifeMs,
      endedAt: null,
    });
    expect(written(world, personPasskeys)).toMatchObject([
      { id: KEY, signCount: 6n, isSynced: true, lastUsedAt: DECIDED_AT },
    ]);
    expect(written(world, spentProofs)).toHaveLength(1);
    expect(written(world, personSessions)).toHaveLength(1);
  });

  it.each<[bigint, bigint, boolean]>([
    [0n, 0n, true],
    [0n, 1n, true],
    [1n, 0n, false],
    [1n, 1n, false],
    [1n, 2n, true],
    [9n, 8n, false],
  ])("after the counter %s shows %s: %s", (signCountBefore, signCount, isTaken) => {
    const passkeys = [passkey(KEY, ANA, { signCount: signCountBefore })];
    expect(enter({ passkeys, signCount }).refusal === undefined).toBe(isTaken);
    expect(showAgain({ passkeys, signCount }).refusal === undefined).toBe(isTaken);
  });

  it("ends the oldest session where the person has as many as are kept, and no other", () => {
    const own = Array.from({ length: MOST_SESSIONS }, (_, place) =>
      session(idOf(`${100 + place}`), ANA),
    );
    const others = [session(idOf("5"), OTTO), session(idOf("6"), ANA, { endedAt: 7 })];
    const endedOf = (sessions: Staff["sessions"]) =>
      written(enter({ sessions: [...(sessions ?? []), ...others] }).world, personSessions)
        .filter((one) => one.endedAt === DECIDED_AT)
        .map(({ id }) => id);
    expect(endedOf(own.toReversed())).toEqual([idOf("100")]);
    expect(endedOf(own.slice(1))).toEqual([]);
    expect(endedOf([...own, session(idOf("200"), ANA)])).toEqual([idOf("100"), idOf("101")]);
  });
});

describe("a step-up with a passkey", () => {
  it.each(
    inOrder<Proving>([
      ["UNAUTHORIZED", { sessions: [] }],
      ["UNAUTHORIZED", { sessions: [session(OLD, ANA, { endedAt: 7 })] }],
      ["UNAUTHORIZED", { sessions: [session(OLD, OTTO)] }],
      ...UNPROVEN,
    ]),
  )("is refused with %s, %s: %#", (expected, _how, scene) => {
    const { refusal } = showAgain(scene);
    expect(named(refusal)).toBe(expected);
    expect(refusal?.message).toBe(enter({ isSpent: true }).refusal?.message);
  });

  it.each([
    [null, DECIDED_AT + 60_000],
    [idOf("a0"), DECIDED_AT + 1],
  ])(
    "replaces the session, of the issuer %s, until the old one would have ended",
    (issuerId, expiresAt) => {
      const { output, world } = showAgain({
        sessions: [session(OLD, ANA, { issuerId, expiresAt })],
      });
      expect(output).toMatchObject({ passkeyId: KEY, issuerId, provenAt: DECIDED_AT, expiresAt });
      expect(output?.id).not.toBe(OLD);
      const old = written(world, personSessions).find(({ id }) => id === OLD);
      expect(old?.endedAt).toBe(DECIDED_AT);
    },
  );
});

const [FIRST, SECOND, THEIRS] = [idOf("40"), idOf("41"), idOf("42")];
const sessions = [session(FIRST, ANA), session(SECOND, ANA), session(THEIRS, OTTO)];
const endedIn = ({ world }: { readonly world: ReturnType<typeof enter>["world"] }) =>
  written(world, personSessions).map(({ id, endedAt }) => [id, endedAt]);

interface Ending extends Staff {
  readonly by?: string | null;
  readonly sessionId?: string;
}

describe("the end of sessions", () => {
  const owner = person(OTTO, "OWNER");
  const end = ({ by = OTTO, sessionId, ...staff }: Ending) =>
    decided({
      command: endPersonSessions,
      input: { personId: ANA, sessionId, by },
      ...setting({ people: [ana, owner], sessions, ...staff }),
    });

  it.each(
    inOrder<Ending>([
      ["REFERENCE_NOT_FOUND", { people: [owner] }],
      ["REFERENCE_NOT_FOUND", { people: [{ ...ana, state: "REMOVED" }, owner] }],
      ["FORBIDDEN", { people: [ana, person(OTTO, "ADMIN")] }],
      ["REFERENCE_NOT_FOUND", { sessionId: THEIRS }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(end(scene).refusal)).toBe(expected);
  });

  it.each<[string, Ending, readonly string[]]>([
    ["one", { sessionId: FIRST }, [FIRST]],
    ["all", {}, [FIRST, SECOND]],
    ["all, by the person or the operator", { by: null }, [FIRST, SECOND]],
    ["none", { sessions: [] }, []],
    [
      "those that are open",
      { sessions: [session(FIRST, ANA, { endedAt: 7 }), ...sessions.slice(1)] },
      [SECOND],
    ],
  ])("ends %s", (_which, scene, ended) => {
    const result = end(scene);
    expect(named(result.refusal)).toBe("decided");
    expect(endedIn(result)).toEqual(ended.map((id) => [id, DECIDED_AT]));
  });

  it.each([
    ["is not there", idOf("49"), sessions],
    ["has ended", FIRST, [session(FIRST, ANA, { endedAt: 7 })]],
  ] as const)("of one that %s is refused", (_which, sessionId, some) => {
    expect(named(end({ sessionId, sessions: some }).refusal)).toBe("REFERENCE_NOT_FOUND");
  });

  it.each([
    [FIRST, [FIRST]],
    [THEIRS, []],
    [idOf("49"), []],
  ])("by signing out of %s ends %j, and is refused to no one", (sessionId, ended) => {
    const input = { personId: ANA, sessionId };
    const result = decided({ command: signOut, input, ...setting({ sessions }) });
    expect(result.refusal).toBeUndefined();
    expect(endedIn(result)).toEqual(ended.map((id) => [id, DECIDED_AT]));
  });
});

describe("a passkey that was not accepted", () => {
  const back = (some: Staff["passkeys"]) =>
    decided({
      command: noteCounterBack,
      input: { passkeyId: KEY },
      ...setting({ passkeys: some ?? [] }),
    });

  it("is noted and changes nothing", () => {
    const { world } = decided({ command: noteRefusedSignIn, input: undefined, ...setting({}) });
    expect([noteRefusedSignIn.isNoted, noteCounterBack.isNoted, world.isEmpty]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("is mailed about the first time that its counter goes back", () => {
    const { world } = back([passkey(KEY, ANA)]);
    expect(written(world, personPasskeys)).toMatchObject([{ counterBackAt: DECIDED_AT }]);
    expect(world.jobs.map(({ payload }) => [payload.recipientId, payload.about])).toEqual([
      [ANA, "COUNTER_BACK"],
    ]);
  });

  it.each([
    ["is not there", []],
    ["did so before", [passkey(KEY, ANA, { counterBackAt: 7 })]],
  ] as const)("and %s changes nothing and mails no one", (_what, some) => {
    expect(back(some).world.isEmpty).toBe(true);
  });

  it("leaves its person as they are", () => {
    expect(written(back([passkey(KEY, ANA)]).world, people)).toEqual([]);
  });
});
