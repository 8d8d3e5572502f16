/** Whom an issuer lets in, who is bound to which subject, and what a session of an issuer is worth. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import {
  challenge,
  idOf,
  issuer,
  link,
  newSession,
  person,
  type Staff,
  session,
  WORKSPACE,
  workspaceRows,
} from "../../../../test/kit/person-rows.ts";
import { JOINED_MS } from "../../lineage.ts";
import { type PersonState, people } from "../person.ts";
import { personLinks } from "../person-link.ts";
import { roles } from "../role.ts";
import { personSessions } from "../sessions/person-session.ts";
import { endIdentities } from "./end-identities.ts";
import type { ProvenIdentity } from "./identity-provider.port.ts";
import { domainOf } from "./judge-identity.ts";
import { digestOfSubject, type PersonIdentity, personIdentities } from "./person-identity.ts";
import {
  notAccepted,
  recordSsoTest,
  signInWithIssuer,
  stepUpWithIssuer,
} from "./sign-in-with-issuer.ts";
import { type SsoIssuer, ssoIssuers } from "./sso-issuer.ts";

const [ANA, OTTO, NEW] = [idOf("1"), idOf("2"), idOf("3")];
const OLD = idOf("30");
const ana = person(ANA, "FINANCE", { email: "ana@acme.example" });

const vouched: ProvenIdentity = {
  issuer: issuer.issuer,
  subject: "subject-1",
  verifiedEmail: ana.email,
  name: "Ana Ruiz",
  authenticatedAt: DECIDED_AT - 1_000,
};

function binding(personId: string, more: Partial<PersonIdentity> = {}): PersonIdentity {
  return {
    id: idOf("b0"),
    personId,
    issuer: issuer.issuer,
    digest: digestOfSubject(issuer.issuer, vouched.subject),
    createdAt: 1,
    lastUsedAt: 1,
    endedAt: null,
    ...more,
  };
}
const bound = binding(ANA);
const byOther = binding(ANA, { digest: digestOfSubject(issuer.issuer, "subject-2") });

interface Coming extends Staff {
  readonly current?: Partial<SsoIssuer> | null;
  readonly identity?: Partial<ProvenIdentity>;
  readonly bindings?: readonly PersonIdentity[];
  readonly personId?: string;
}

function come(scene: Coming) {
  const { current = {}, identity = {}, bindings = [], personId = ANA, ...staff } = scene;
  const tables = [
    ...workspaceRows({ people: [ana], ...staff }),
    rowsOf(ssoIssuers, ...(current === null ? [] : [{ ...issuer, ...current }])),
    rowsOf(personIdentities, ...bindings),
  ];
  const proven = { issuer, identity: { ...vouched, ...identity }, use: challenge };
  return { input: { ...proven, personId }, set: { platformId: WORKSPACE, tables } };
}

function enter(scene: Coming) {
  const { input, set } = come(scene);
  return decided({ command: signInWithIssuer, input: { ...input, session: newSession }, ...set });
}

const withOld = { sessions: [session(OLD, ANA, { issuerId: issuer.id })], bindings: [bound] };

function showAgain(scene: Coming) {
  const { input, set } = come({ ...withOld, ...scene });
  const { lifeMs: _, ...rest } = newSession;
  const shown = { ...input, sessionId: OLD, session: rest };
  return decided({ command: stepUpWithIssuer, input: shown, ...set });
}

function test(scene: Coming) {
  const { input, set } = come({ ...withOld, ...scene });
  return decided({ command: recordSsoTest, input: { ...input, sessionId: OLD }, ...set });
}

const NOT_PROVEN = "UNAUTHORIZED NOT_PROVEN";
const NO_PERSON = "UNAUTHORIZED NO_PERSON";
const NO_ADDRESS = "UNAUTHORIZED NO_VERIFIED_ADDRESS";

/** Refused by each of the three, in this order. */
const UNPROVEN: readonly (readonly [string, Coming])[] = [
  [NOT_PROVEN, { current: null }],
  [NOT_PROVEN, { current: { deletedAt: 7 } }],
  [NOT_PROVEN, { current: { issuer: "https://login.other.example" } }],
  [NOT_PROVEN, { current: { clientId: "other" } }],
  [NOT_PROVEN, { current: { sealId: "other" } }],
  [NOT_PROVEN, { identity: { issuer: "https://login.other.example" } }],
  [NOT_PROVEN, { isSpent: true }],
  [NO_PERSON, { people: [{ ...ana, state: "SUSPENDED" }], bindings: [bound] }],
  [NO_ADDRESS, { bindings: [], identity: { verifiedEmail: null } }],
  [NO_PERSON, { bindings: [], people: [] }],
];

describe("a sign-in at an issuer", () => {
  it.each(
    inOrder<Coming>([...UNPROVEN, [NO_PERSON, { bindings: [], people: [ana], personId: OTTO }]]),
  )("is refused with %s, %s: %#", (expected, _how, scene) => {
    const { refusal } = enter(scene);
    expect(named(refusal, "reason")).toBe(expected);
    expect(refusal?.message).toBe(notAccepted("NOT_PROVEN").message);
  });

  it.each<[PersonState, string, string]>([
    ["ACTIVE", "decided", "decided"],
    ["INVITED", "decided", NO_PERSON],
    ["SUSPENDED", NO_PERSON, NO_PERSON],
    ["REMOVED", NO_PERSON, NO_PERSON],
  ])(
    "of one who is %s and known by the address is %s, and bound before %s",
    (state, found, known) => {
      const staff = { people: [{ ...ana, state }] };
      expect(named(enter(staff).refusal, "reason")).toBe(found);
      expect(named(enter({ ...staff, bindings: [bound] }).refusal, "reason")).toBe(known);
    },
  );

  it.each(roles)("of an invited %s, who has no passkey, is refused to owners alone", (role) => {
    const staff = { people: [person(ANA, role, { email: ana.email, state: "INVITED" })] };
    expect(named(enter(staff).refusal, "reason")).toBe(role === "OWNER" ? NO_PERSON : "decided");
  });

  it("of an active owner is taken", () => {
    const staff = { people: [person(ANA, "OWNER", { email: ana.email })] };
    expect(enter(staff).refusal).toBeUndefined();
  });

  it.each<[string, Coming, string]>([
    ["has another subject of the issuer", { bindings: [byOther] }, NO_PERSON],
    ["had another subject, which was ended", { bindings: [{ ...byOther, endedAt: 7 }] }, "decided"],
    [
      "has a subject of another issuer",
      { bindings: [{ ...byOther, issuer: "https://login.other.example" }] },
      "decided",
    ],
    [
      "was bound before, and has another address now",
      { bindings: [bound], identity: { verifiedEmail: "x@acme.example" } },
      "decided",
    ],
    [
      "was bound before, and has no address now",
      { bindings: [bound], identity: { verifiedEmail: null } },
      "decided",
    ],
    [
      "was bound before, while another person has the address",
      {
        bindings: [bound],
        people: [ana, person(OTTO, "OWNER", { email: "otto@acme.example" })],
        identity: { verifiedEmail: "otto@acme.example" },
      },
      "decided",
    ],
    [
      "was given the address of a person who is bound to another subject",
      { bindings: [{ ...byOther, id: idOf("b1") }], identity: { subject: "subject-3" } },
      NO_PERSON,
    ],
  ])("of one who %s is answered as it must be", (_what, scene, expected) => {
    expect(named(enter(scene).refusal, "reason")).toBe(expected);
  });

  it("binds the person to the subject the first time, and notes each later one", () => {
    const first = written(enter({}).world, personIdentities);
    expect(first).toMatchObject([
      { personId: ANA, digest: bound.digest, createdAt: DECIDED_AT, endedAt: null },
    ]);
    const later = written(enter({ bindings: [bound] }).world, personIdentities);
    expect(later).toEqual([{ ...bound, lastUsedAt: DECIDED_AT }]);
  });

  it("ends the binding to a person who was removed, whose subject has another person now", () => {
    const gone = person(OTTO, "FINANCE", { state: "REMOVED" });
    const { world } = enter({ people: [ana, gone], bindings: [binding(OTTO)] });
    const made = written(world, personIdentities);
    expect(made.map(({ personId, endedAt }) => [personId, endedAt])).toEqual([
      [OTTO, DECIDED_AT],
      [ANA, null],
    ]);
  });

  it("lets an invited person in, and ends their links", () => {
    const staff = {
      people: [{ ...ana, state: "INVITED" } as const],
      links: [link("INVITE", ANA, { urlSealed: "sealed" })],
    };
    const { world } = enter(staff);
    expect(written(world, people)).toMatchObject([{ state: "ACTIVE" }]);
    expect(written(world, personLinks)).toMatchObject([{ endedAt: DECIDED_AT, urlSealed: null }]);
  });

  it.each<[string, number | null, number]>([
    ["when the person showed their credentials", DECIDED_AT - 5, DECIDED_AT - 5],
    ["nothing of it", null, 0],
    ["a time that is to come", DECIDED_AT + 5, DECIDED_AT],
  ])("is worth what the issuer says: %s", (_what, authenticatedAt, provenAt) => {
    const identity = { authenticatedAt };
    const shown = { passkeyId: null, issuerId: issuer.id, provenAt };
    expect(enter({ identity }).output).toMatchObject(shown);
    expect(showAgain({ identity }).output).toMatchObject(shown);
  });
});

describe("people of a domain", () => {
  const joining = (scene: Coming) =>
    enter({
      people: [],
      current: { autoJoin: { domain: "acme.example", role: "VIEWER" } },
      personId: NEW,
      ...scene,
    });

  it("are taken in as viewers, who need no second pair of eyes", () => {
    const { output, world } = joining({});
    expect(written(world, people)).toMatchObject([
      {
        id: NEW,
        email: ana.email,
        name: "Ana Ruiz",
        state: "ACTIVE",
        isOperator: false,
        roles: [{ platformId: null, roles: ["VIEWER"] }],
      },
    ]);
    expect(output?.personId).toBe(NEW);
    expect(written(world, personIdentities)).toMatchObject([{ personId: NEW }]);
  });

  it("have their address as a name where the issuer tells none", () => {
    const { world } = joining({ identity: { name: null } });
    expect(written(world, people)).toMatchObject([{ name: ana.email }]);
  });

  it.each<[string, Coming, string]>([
    ["of no domain", { current: {} }, NO_PERSON],
    ["of another domain", { identity: { verifiedEmail: "ana@other.example" } }, NO_PERSON],
    ["of a domain below", { identity: { verifiedEmail: "ana@mail.acme.example" } }, NO_PERSON],
    [
      "with the domain as the name before another",
      { identity: { verifiedEmail: "acme.example@other.example" } },
      NO_PERSON,
    ],
    [
      "with two signs in the address",
      { identity: { verifiedEmail: '"ana@acme.example"@other.example' } },
      NO_PERSON,
    ],
    ["without an address that was verified", { identity: { verifiedEmail: null } }, NO_ADDRESS],
    ["who were removed", { people: [{ ...ana, state: "REMOVED" }], bindings: [bound] }, NO_PERSON],
    [
      "who were removed before, with another subject",
      { people: [{ ...ana, state: "REMOVED" }] },
      "decided",
    ],
    ["who are suspended", { people: [{ ...ana, state: "SUSPENDED" }] }, NO_PERSON],
  ])("%s are answered as they must be", (_who, scene, expected) => {
    expect(named(joining(scene).refusal, "reason")).toBe(expected);
  });

  it.each([
    ["ana@acme.example", "acme.example"],
    ['"a@b"@acme.example', "acme.example"],
    ["acme.example", "acme.example"],
  ])("are known by the end of the address: %s", (email, domain) => {
    expect(domainOf(email)).toBe(domain);
  });
});

describe("the person who set the issuer", () => {
  const setter = person(OTTO, "OWNER", { email: "otto@acme.example" });
  const joinedOf = (setAt: number | null, more: Coming = {}) => {
    const { world } = enter({ people: [ana, setter], current: { setBy: OTTO, setAt }, ...more });
    return written(world, people).find(({ id }) => id === ANA)?.joined;
  };

  it.each<[string, number | null, number | undefined]>([
    ["set it now", DECIDED_AT, DECIDED_AT + JOINED_MS],
    ["set it lately", DECIDED_AT - JOINED_MS + 1, DECIDED_AT + 1],
    ["set it thirty days ago", DECIDED_AT - JOINED_MS, undefined],
    ["set it at a time that was not kept", null, undefined],
  ])("counts as one with the one who signs in where they %s", (_when, setAt, until) => {
    const expected = until === undefined ? undefined : [{ id: OTTO, until }];
    expect(joinedOf(setAt)).toEqual(expected);
    expect(joinedOf(setAt, { bindings: [bound] })).toEqual(expected);
  });

  it("is not joined with themself, and no one is with a setter who is not kept", () => {
    const own = { current: { setBy: ANA, setAt: DECIDED_AT } };
    expect(written(enter(own).world, people)).toEqual([]);
    expect(written(enter({ current: { setBy: null, setAt: DECIDED_AT } }).world, people)).toEqual(
      [],
    );
    expect(joinedOf(DECIDED_AT, { people: [ana] })).toBeUndefined();
  });

  it("is joined at a step-up as well", () => {
    const { world } = showAgain({
      people: [ana, setter],
      current: { setBy: OTTO, setAt: DECIDED_AT },
    });
    expect(written(world, people)).toMatchObject([{ id: ANA, joined: [{ id: OTTO }] }]);
  });
});

describe("a step-up at an issuer", () => {
  it.each(
    inOrder<Coming>([
      ...UNPROVEN,
      [NO_PERSON, { people: [ana], bindings: [] }],
      [NO_PERSON, { personId: OTTO }],
      [NOT_PROVEN, { sessions: [] }],
      [NOT_PROVEN, { sessions: [session(OLD, ANA, { endedAt: 7 })] }],
      [NOT_PROVEN, { sessions: [session(OLD, OTTO)] }],
    ]),
  )("is refused with %s, %s: %#", (expected, _how, scene) => {
    expect(named(showAgain(scene).refusal, "reason")).toBe(expected);
  });

  it("replaces the session until the old one would have ended", () => {
    const { output, world } = showAgain({});
    expect(output).toMatchObject({ personId: ANA, expiresAt: DECIDED_AT + 60_000 });
    const ended = written(world, personSessions).filter(({ id }) => id === OLD);
    expect(ended).toMatchObject([{ endedAt: DECIDED_AT }]);
  });
});

describe("a test of an issuer", () => {
  it.each(
    inOrder<Coming>([
      ...UNPROVEN,
      [NOT_PROVEN, { sessions: [], bindings: [bound], people: [ana] }],
      [NOT_PROVEN, { sessions: [session(OLD, ANA, { endedAt: 7 })] }],
      [NOT_PROVEN, { sessions: [session(OLD, OTTO)] }],
    ]),
  )("is refused with %s, %s: %#", (expected, _how, scene) => {
    expect(named(test(scene).refusal, "reason")).toBe(expected);
  });

  it.each([[bound], []])(
    "notes that it works, binds no person and opens no session: %#",
    (...some) => {
      const { output, world } = test({ bindings: some });
      expect(output).toMatchObject({ id: issuer.id, testedAt: DECIDED_AT });
      expect(written(world, personIdentities)).toEqual([]);
      expect(written(world, personSessions)).toEqual([]);
    },
  );
});

interface Ending extends Staff {
  readonly by?: string | null;
}

describe("the end of bindings", () => {
  const owner = person(OTTO, "OWNER");
  const end = ({ by = OTTO, ...staff }: Ending) => {
    const bindings = [
      bound,
      { ...byOther, id: idOf("b1"), endedAt: 7 },
      binding(OTTO, { id: idOf("b2") }),
    ];
    return decided({
      command: endIdentities,
      input: { personId: ANA, by },
      platformId: WORKSPACE,
      tables: [
        ...workspaceRows({ people: [ana, owner], sessions: [session(OLD, ANA)], ...staff }),
        rowsOf(personIdentities, ...bindings),
      ],
    });
  };

  it.each(
    inOrder<Ending>([
      ["REFERENCE_NOT_FOUND", { people: [owner] }],
      ["REFERENCE_NOT_FOUND", { people: [{ ...ana, state: "REMOVED" }, owner] }],
      ["FORBIDDEN", { people: [ana, person(OTTO, "ADMIN")] }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(end(scene).refusal)).toBe(expected);
  });

  it.each([OTTO, null])("ends those that the person has, and all sessions: by %s", (by) => {
    const { world } = end({ by });
    expect(written(world, personIdentities)).toEqual([{ ...bound, endedAt: DECIDED_AT }]);
    expect(written(world, personSessions)).toMatchObject([{ id: OLD, endedAt: DECIDED_AT }]);
  });

  it("keeps issuer and subject apart", () => {
    expect(digestOfSubject("a", "bc")).not.toBe(digestOfSubject("ab", "c"));
    expect(digestOfSubject("a", "b")).toBe(digestOfSubject("a", "b"));
  });
});
