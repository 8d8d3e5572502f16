/** How a person gets in by a link, which passkeys they may add and delete, and how long a link lives. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT } from "../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../test/kit/decided.ts";
import {
  challenge,
  idOf,
  link,
  newPasskey,
  newSession,
  on,
  PLATFORM_A,
  passkey,
  person,
  type Staff,
  session,
  WORKSPACE,
  workspaceRows,
} from "../../../test/kit/person-rows.ts";
import { spentProofs } from "../wallets/credentials/spent-proof.ts";
import { acceptLink } from "./accept-link.ts";
import { noteRead } from "./note-read.ts";
import { MOST_PASSKEYS, personPasskeys } from "./passkey.ts";
import { addPasskey, deletePasskey } from "./passkey-commands.ts";
import { NO_APPROVALS_MS, type PersonState, people } from "./person.ts";
import { isOpen, type LinkKind, personLinks } from "./person-link.ts";
import { type Role, roles } from "./role.ts";
import { personSessions } from "./sessions/person-session.ts";
import { claimStart } from "./start-link.ts";

const [ANA, OTTO, BO] = [idOf("1"), idOf("2"), idOf("3")];
const ana = person(ANA, "FINANCE");
const kinds = ["INVITE", "RE_ENROL"] as const;
const stateFor = { INVITE: "INVITED", RE_ENROL: "ACTIVE" } as const;

const setting = (staff: Staff) => ({ platformId: WORKSPACE, tables: workspaceRows(staff) });

interface Accepting extends Staff {
  readonly kind?: (typeof kinds)[number];
  readonly email?: string;
}

/** Ana's link of the kind, and Ana in the state for it. */
function accept({ kind = "INVITE", email = ana.email, ...staff }: Accepting) {
  const input = {
    kind,
    codeHash: "c0de",
    email,
    passkey: newPasskey,
    challenge,
    session: newSession,
  };
  const there: Staff = {
    people: [{ ...ana, state: stateFor[kind] }],
    links: [link(kind, ANA)],
    passkeys: [passkey(idOf("20"), ANA), passkey(idOf("21"), OTTO)],
    sessions: [session(idOf("30"), ANA), session(idOf("31"), OTTO)],
  };
  return decided({ command: acceptLink, input, ...setting({ ...there, ...staff }) });
}

const NOT_FOUND = "NOT_FOUND";

describe.each(kinds)("a link of the kind %s", (kind) => {
  const other = kind === "INVITE" ? "RE_ENROL" : "INVITE";

  it.each(
    inOrder<Accepting>([
      [NOT_FOUND, { links: [] }],
      [NOT_FOUND, { links: [link(kind, ANA, { endedAt: 5 })] }],
      [NOT_FOUND, { links: [link(kind, ANA, { expiresAt: DECIDED_AT })] }],
      [NOT_FOUND, { links: [link(other, ANA)] }],
      [NOT_FOUND, { links: [link("START", null)] }],
      [NOT_FOUND, { email: "somebody@example.com" }],
      [NOT_FOUND, { people: [] }],
      ...(["ACTIVE", "INVITED", "SUSPENDED", "REMOVED"] as const)
        .filter((state) => state !== stateFor[kind])
        .map((state) => [NOT_FOUND, { people: [{ ...ana, state }] }] as const),
      ...(kind === "INVITE" ? [["FORBIDDEN SSO_REQUIRED", { isSsoRequired: true }] as const] : []),
      ["UNAUTHORIZED", { isSpent: true }],
    ]),
  )("is refused with %s, %s: %#", (expected, _how, scene) => {
    const { refusal, world } = accept({ kind, ...scene });
    expect(named(refusal, "reason")).toBe(expected);
    expect(world.isEmpty).toBe(true);
  });

  it("signs the person in with the new passkey, ends the link and the challenge", () => {
    const { output, world } = accept({ kind });
    const [made] = written(world, personPasskeys).filter((one) => one.deletedAt === null);
    expect(made).toMatchObject({ personId: ANA, credentialId: newPasskey.credentialId });
    expect(output).toMatchObject({
      personId: ANA,
      passkeyId: made?.id,
      issuerId: null,
      provenAt: DECIDED_AT,
      expiresAt: DECIDED_AT + newSession.lifeMs,
    });
    expect(written(world, personLinks)).toMatchObject([{ endedAt: DECIDED_AT, urlSealed: null }]);
    expect(written(world, spentProofs)).toHaveLength(1);
  });

  it("ends what the person had before, and nothing of another one", () => {
    const { output, world } = accept({ kind });
    const gone = written(world, personPasskeys).filter((one) => one.deletedAt !== null);
    expect(gone.map(({ id }) => id)).toEqual([idOf("20")]);
    const ended = written(world, personSessions).filter(({ id }) => id !== output?.id);
    expect(ended).toMatchObject([{ id: idOf("30"), endedAt: DECIDED_AT }]);
  });

  it("lets the person approve nothing for a day, and mails them, where it replaced a passkey", () => {
    const { world } = accept({ kind });
    const isReplaced = kind === "RE_ENROL";
    expect(written(world, people)).toMatchObject([
      { state: "ACTIVE", approvesFrom: isReplaced ? DECIDED_AT + NO_APPROVALS_MS : null },
    ]);
    const mails = world.jobs.map(({ payload }) => [payload.recipientId, payload.about]);
    expect(mails).toEqual(isReplaced ? [[ANA, "RE_ENROLLED"]] : []);
  });

  it.each(roles)(
    "is open to %s of a workspace that requires an issuer as the rule says",
    (role) => {
      const one = person(ANA, role, { state: stateFor[kind] });
      const { refusal } = accept({ kind, people: [one], isSsoRequired: true });
      // A re-enrolment is how an approver gets a passkey again, and an owner needs one.
      expect(named(refusal, "reason")).toBe(
        kind === "RE_ENROL" || role === "OWNER" ? "decided" : "FORBIDDEN SSO_REQUIRED",
      );
    },
  );

  it("is looked at with the address as it is kept", () => {
    expect(named(accept({ kind, email: ana.email.toUpperCase() }).refusal)).toBe(NOT_FOUND);
  });
});

describe("a link", () => {
  it.each<[string, boolean, Partial<ReturnType<typeof link>>, number]>([
    ["is new", true, {}, DECIDED_AT],
    ["is in its last millisecond", true, { expiresAt: DECIDED_AT + 1 }, DECIDED_AT],
    ["has come to its end", false, { expiresAt: DECIDED_AT }, DECIDED_AT],
    ["was used", false, { endedAt: DECIDED_AT - 1 }, DECIDED_AT],
    ["was used and is old", false, { endedAt: 1, expiresAt: 2 }, DECIDED_AT],
  ])("that %s is open: %s", (_what, expected, more, at) => {
    for (const kind of ["START", "INVITE", "RE_ENROL"] satisfies readonly LinkKind[])
      expect(isOpen(link(kind, null, more), at)).toBe(expected);
  });

  it("that is not there is not open", () => {
    expect(isOpen(undefined, DECIDED_AT)).toBe(false);
  });
});

interface Claiming extends Staff {
  readonly email?: string;
}

/** Bo, who is new, comes by the link of the first owner. */
function claim({ email = "bo@example.com", ...staff }: Claiming) {
  const input = {
    codeHash: "c0de",
    personId: BO,
    name: "Bo",
    email,
    passkey: newPasskey,
    challenge,
    session: newSession,
  };
  const links = [link("START", null, { makesOperator: true })];
  return decided({ command: claimStart, input, ...setting({ links, ...staff }) });
}

describe("the link of the first owner", () => {
  it.each(
    inOrder<Claiming>([
      [NOT_FOUND, { links: [] }],
      [NOT_FOUND, { links: [link("START", null, { endedAt: 5 })] }],
      [NOT_FOUND, { links: [link("START", null, { expiresAt: DECIDED_AT })] }],
      [NOT_FOUND, { links: [link("INVITE", ANA)] }],
      [NOT_FOUND, { links: [link("RE_ENROL", ANA)] }],
      [NOT_FOUND, { people: [person(OTTO, "OWNER")] }],
      ["CONFLICT email", { people: [ana], email: ana.email }],
      ["UNAUTHORIZED", { isSpent: true }],
    ]),
  )("is refused with %s, %s: %#", (expected, _how, scene) => {
    expect(named(claim(scene).refusal, "field")).toBe(expected);
  });

  it.each([true, false])(
    "makes an owner, who is an operator where it says so: %s",
    (makesOperator) => {
      const { output, world } = claim({ links: [link("START", null, { makesOperator })] });
      expect(written(world, people)).toMatchObject([
        {
          id: BO,
          state: "ACTIVE",
          isOperator: makesOperator,
          roles: [{ platformId: null, roles: ["OWNER"] }],
          approvesFrom: null,
          joined: [],
        },
      ]);
      expect(output).toMatchObject({ personId: BO, issuerId: null, provenAt: DECIDED_AT });
      expect(written(world, personLinks)).toMatchObject([{ endedAt: DECIDED_AT }]);
    },
  );

  it.each<PersonState>(["SUSPENDED", "REMOVED", "INVITED"])(
    "is good in a workspace whose one owner is %s",
    (state) => {
      expect(claim({ people: [person(OTTO, "OWNER", { state })] }).refusal).toBeUndefined();
    },
  );

  it("takes the address of a person who was removed", () => {
    const gone = { ...ana, state: "REMOVED" } as const;
    expect(claim({ people: [gone], email: ana.email }).refusal).toBeUndefined();
  });
});

interface Adding extends Staff {
  readonly isProvenByPasskey?: boolean;
}

function add({ isProvenByPasskey = true, ...staff }: Adding) {
  const input = { personId: ANA, passkey: newPasskey, challenge, isProvenByPasskey };
  const there: Staff = { people: [ana], passkeys: [passkey(idOf("20"), ANA)] };
  return decided({ command: addPasskey, input, ...setting({ ...there, ...staff }) });
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => passkey(idOf(`${100 + index}`), ANA));

describe("another passkey", () => {
  it.each(
    inOrder<Adding>([
      ["REFERENCE_NOT_FOUND", { people: [] }],
      ["REFERENCE_NOT_FOUND", { people: [{ ...ana, state: "REMOVED" }] }],
      ["CONFLICT", { passkeys: many(MOST_PASSKEYS) }],
      ["FORBIDDEN PASSKEY", { isProvenByPasskey: false }],
      ["UNAUTHORIZED", { isSpent: true }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(add(scene).refusal, "proof")).toBe(expected);
  });

  it("is the last of as many as are kept", () => {
    expect(add({ passkeys: many(MOST_PASSKEYS - 1) }).refusal).toBeUndefined();
    const deleted = passkey(idOf("99"), ANA, { deletedAt: 5 });
    const others = passkey(idOf("98"), OTTO);
    const passkeys = [...many(MOST_PASSKEYS - 1), deleted, others];
    expect(add({ passkeys }).refusal).toBeUndefined();
  });

  it("under one that was shown changes nothing of the person, and tells no one", () => {
    const { output, world } = add({});
    expect(output).toMatchObject({ personId: ANA, lastUsedAt: null, counterBackAt: null });
    expect([written(world, people), world.jobs]).toEqual([[], []]);
  });

  it.each(roles)(
    "that is the first of %s, by the word of an issuer, lets them approve nothing for a day",
    (role) => {
      const owners = [person(OTTO, "OWNER"), person(BO, "OWNER", { state: "SUSPENDED" })];
      const { world } = add({
        people: [person(ANA, role), ...owners],
        passkeys: [],
        isProvenByPasskey: false,
      });
      expect(written(world, people)).toMatchObject([
        { approvesFrom: DECIDED_AT + NO_APPROVALS_MS },
      ]);
      const told = world.jobs.map(({ payload }) => payload.recipientId);
      const deciding: readonly Role[] = ["OWNER", "ADMIN", "APPROVER", "COMPLIANCE"];
      expect(told).toEqual(deciding.includes(role) ? [ANA, OTTO] : [ANA]);
      expect(new Set(world.jobs.map(({ payload }) => payload.about))).toEqual(
        new Set(["FIRST_PASSKEY"]),
      );
    },
  );

  it("that is the first of a person with a role on one platform alone counts that role", () => {
    const one = person(ANA, "VIEWER", { roles: [on(PLATFORM_A, "APPROVER"), on(null, "VIEWER")] });
    const { world } = add({
      people: [one, person(OTTO, "OWNER")],
      passkeys: [],
      isProvenByPasskey: false,
    });
    expect(world.jobs).toHaveLength(2);
  });
});

describe("the deletion of a passkey", () => {
  const remove = (passkeyId: string, staff: Staff) =>
    decided({ command: deletePasskey, input: { personId: ANA, passkeyId }, ...setting(staff) });
  const two = [passkey(idOf("20"), ANA), passkey(idOf("21"), ANA), passkey(idOf("22"), OTTO)];

  it.each<[string, string, Staff]>([
    ["REFERENCE_NOT_FOUND", idOf("29"), { passkeys: two }],
    ["REFERENCE_NOT_FOUND", idOf("22"), { passkeys: two }],
    ["REFERENCE_NOT_FOUND", idOf("29"), { passkeys: two.slice(1) }],
    ["REFERENCE_NOT_FOUND", idOf("20"), { passkeys: [passkey(idOf("20"), ANA, { deletedAt: 5 })] }],
    ["CONFLICT", idOf("21"), { passkeys: two.slice(1) }],
    [
      "CONFLICT",
      idOf("21"),
      { passkeys: [passkey(idOf("20"), ANA, { deletedAt: 5 }), ...two.slice(1)] },
    ],
    ["decided", idOf("20"), { passkeys: two }],
  ])("is answered with %s: %#", (expected, passkeyId, staff) => {
    expect(named(remove(passkeyId, staff).refusal)).toBe(expected);
  });

  it("takes that one and no other", () => {
    const { world } = remove(idOf("20"), { passkeys: two });
    expect(written(world, personPasskeys)).toMatchObject([
      { id: idOf("20"), deletedAt: DECIDED_AT },
    ]);
  });
});

describe("what a person read", () => {
  it("is noted and changes nothing", () => {
    const { world, refusal } = decided({ command: noteRead, input: undefined, ...setting({}) });
    expect([noteRead.isNoted, refusal, world.isEmpty]).toEqual([true, undefined, true]);
  });
});
