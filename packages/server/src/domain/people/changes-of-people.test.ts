/** Who may invite, change, remove and re-enrol whom, in which order each is refused, and what it leaves behind. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT } from "../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../test/kit/decided.ts";
import {
  idOf,
  link,
  on,
  PLATFORM_A,
  PLATFORM_B,
  passkey,
  person,
  type Staff,
  session,
  WORKSPACE,
  workspaceRows,
} from "../../../test/kit/person-rows.ts";
import { JOINED_MS } from "../lineage.ts";
import { changePerson } from "./change-person.ts";
import { invitePerson } from "./invite-person.ts";
import { issueReEnrolment } from "./issue-re-enrolment.ts";
import { personPasskeys } from "./passkey.ts";
import type { Person, PersonState } from "./person.ts";
import { personLinks } from "./person-link.ts";
import { removePerson } from "./remove-person.ts";
import { type Role, roles } from "./role.ts";
import { personSessions } from "./sessions/person-session.ts";
import { issueStartLink } from "./start-link.ts";
import { workspaces } from "./workspaces/workspace.ts";

const [BY, WHOM, OTHER, NEW] = [idOf("1"), idOf("2"), idOf("3"), idOf("4")];
const HOUR_MS = 3_600_000;

/** Ana, an owner, and the person whom she changes. */
interface Case {
  readonly by?: Person | null;
  readonly whom?: Person | undefined;
  readonly others?: readonly Person[];
  readonly grants?: Person["roles"] | undefined;
  readonly isSuspended?: boolean | undefined;
  readonly hasPasskey?: boolean;
  readonly shownTo?: string;
  readonly urlSealed?: string;
  readonly email?: string;
}

const owner = person(BY, "OWNER");
const support = person(WHOM, "SUPPORT");
const byOf = ({ by = owner }: Case) => (by === null ? null : by.id);

function staffOf(scene: Case): Staff {
  const { by = owner, others = [], hasPasskey = true } = scene;
  const whom = "whom" in scene ? scene.whom : support;
  const all = [by, whom, ...others].filter((one): one is Person => one != null);
  const links = [
    link("INVITE", WHOM, { urlSealed: "sealed" }),
    link("RE_ENROL", WHOM, { id: idOf("11"), codeHash: "old" }),
    link("INVITE", OTHER, { id: idOf("12"), codeHash: "others" }),
  ];
  return {
    people: [...new Map(all.map((one) => [one.id, one])).values()],
    passkeys: hasPasskey ? [passkey(idOf("20"), WHOM)] : [],
    sessions: [session(idOf("30"), WHOM), session(idOf("31"), WHOM), session(idOf("32"), OTHER)],
    links,
  };
}

const setting = (scene: Case) => ({ platformId: WORKSPACE, tables: workspaceRows(staffOf(scene)) });

const change = (scene: Case) =>
  decided({
    command: changePerson,
    input: { personId: WHOM, roles: scene.grants, isSuspended: scene.isSuspended, by: byOf(scene) },
    ...setting(scene),
  });
const remove = (scene: Case) =>
  decided({ command: removePerson, input: { personId: WHOM, by: byOf(scene) }, ...setting(scene) });
const reEnrol = (scene: Case) =>
  decided({
    command: issueReEnrolment,
    input: {
      personId: WHOM,
      codeHash: "new",
      urlSealed: scene.urlSealed,
      by: byOf(scene),
      shownTo: scene.shownTo,
    },
    ...setting(scene),
  });
const invite = (scene: Case) =>
  decided({
    command: invitePerson,
    input: {
      personId: NEW,
      email: scene.email ?? "new@example.com",
      name: "New",
      roles: scene.grants ?? [on(null, "VIEWER")],
      codeHash: "new",
      urlSealed: scene.urlSealed,
      by: byOf(scene),
      shownTo: scene.shownTo,
    },
    ...setting(scene),
  });

const acts = { change, remove, reEnrol };
const actNames = ["change", "remove", "reEnrol"] as const;
const endedSessions = ({ world }: ReturnType<typeof remove>) =>
  written(world, personSessions)
    .filter(({ endedAt }) => endedAt === DECIDED_AT)
    .map(({ id }) => id);
const mails = ({ world }: { readonly world: ReturnType<typeof remove>["world"] }) =>
  world.jobs.map(({ payload }) => [payload.recipientId, payload.about]);

const GIVEN_BY_ADMIN: readonly Role[] = ["DEVELOPER", "SUPPORT", "VIEWER"];
const everyPair = roles.flatMap((by) => roles.map((role) => [by, role] as const));

describe("who gives and takes a role", () => {
  it.each(everyPair)("%s gives and takes %s as the rule says", (by, role) => {
    const may = by === "OWNER" || (by === "ADMIN" && GIVEN_BY_ADMIN.includes(role));
    const expected = may ? "decided" : "FORBIDDEN";
    const scene: Case = { by: person(BY, by), others: [person(OTHER, "OWNER")] };
    expect(named(invite({ ...scene, grants: [on(null, role)] }).refusal)).toBe(expected);
    for (const act of actNames)
      expect(named(acts[act]({ ...scene, whom: person(WHOM, role) }).refusal)).toBe(expected);
    expect(named(change({ ...scene, grants: [on(null, role)] }).refusal)).toBe(expected);
  });

  it.each(roles)("the operator of the server gives and takes %s", (role) => {
    const scene: Case = { by: null, others: [person(OTHER, "OWNER")] };
    expect(invite({ ...scene, grants: [on(null, role)] }).refusal).toBeUndefined();
    for (const act of actNames)
      expect(acts[act]({ ...scene, whom: person(WHOM, role) }).refusal).toBeUndefined();
  });

  const adminOnA = person(BY, "ADMIN", { roles: [on(PLATFORM_A, "ADMIN")] });

  it.each<[string, Person, Person["roles"], boolean]>([
    ["the admin of a platform, on it", adminOnA, [on(PLATFORM_A, "SUPPORT")], true],
    ["the admin of a platform, on another one", adminOnA, [on(PLATFORM_B, "SUPPORT")], false],
    ["the admin of a platform, on all", adminOnA, [on(null, "SUPPORT")], false],
    [
      "the admin of a platform, on it and on another one",
      adminOnA,
      [on(PLATFORM_A, "VIEWER"), on(PLATFORM_B, "VIEWER")],
      false,
    ],
    ["an admin of all, on one", person(BY, "ADMIN"), [on(PLATFORM_B, "VIEWER")], true],
    [
      "an admin, two roles of which one is too much",
      person(BY, "ADMIN"),
      [on(null, "VIEWER", "FINANCE")],
      false,
    ],
    ["an admin, no role", person(BY, "ADMIN"), [], true],
    ["a suspended owner", person(BY, "OWNER", { state: "SUSPENDED" }), [on(null, "VIEWER")], false],
    ["a removed owner", person(BY, "OWNER", { state: "REMOVED" }), [on(null, "VIEWER")], false],
    [
      "an owner who has not come yet",
      person(BY, "OWNER", { state: "INVITED" }),
      [on(null, "VIEWER")],
      false,
    ],
  ])("%s: %#", (_who, by, grants, may) => {
    expect(named(invite({ by, grants }).refusal)).toBe(may ? "decided" : "FORBIDDEN");
  });

  it("names the roles that it refuses, each once", () => {
    const grants = [on(PLATFORM_A, "FINANCE", "VIEWER"), on(PLATFORM_B, "FINANCE")];
    const { refusal } = invite({ by: person(BY, "VIEWER"), grants });
    expect(refusal?.details).toEqual({ roles: ["FINANCE", "VIEWER"] });
  });

  it("looks at the roles that a person has and at those that the person is to have", () => {
    const admin = person(BY, "ADMIN");
    const both = (had: Role, gets: Role) =>
      named(change({ by: admin, whom: person(WHOM, had), grants: [on(null, gets)] }).refusal);
    expect(both("SUPPORT", "VIEWER")).toBe("decided");
    expect(both("FINANCE", "VIEWER")).toBe("FORBIDDEN");
    expect(both("VIEWER", "FINANCE")).toBe("FORBIDDEN");
  });
});

const stranger = person(BY, "VIEWER");
const lastOwner = person(WHOM, "OWNER");

describe("a change of a person", () => {
  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { whom: undefined }],
      ["REFERENCE_NOT_FOUND", { whom: person(WHOM, "SUPPORT", { state: "REMOVED" }) }],
      ["FORBIDDEN", { by: stranger }],
      [
        "CONFLICT INVITED",
        { whom: person(WHOM, "SUPPORT", { state: "INVITED" }), isSuspended: true },
      ],
      ["CONFLICT roles", { grants: [on(null, "OWNER")], hasPasskey: false }],
      ["CONFLICT", { by: null, whom: lastOwner, isSuspended: true }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(change(scene).refusal, "field", "status")).toBe(expected);
  });

  it.each<[PersonState, boolean | undefined, string]>([
    ["ACTIVE", undefined, "ACTIVE"],
    ["ACTIVE", true, "SUSPENDED"],
    ["ACTIVE", false, "ACTIVE"],
    ["SUSPENDED", undefined, "SUSPENDED"],
    ["SUSPENDED", true, "SUSPENDED"],
    ["SUSPENDED", false, "ACTIVE"],
    ["INVITED", undefined, "INVITED"],
    ["INVITED", true, "CONFLICT"],
    ["INVITED", false, "CONFLICT"],
    ["REMOVED", undefined, "REFERENCE_NOT_FOUND"],
    ["REMOVED", true, "REFERENCE_NOT_FOUND"],
    ["REMOVED", false, "REFERENCE_NOT_FOUND"],
  ])("leads %s with suspended %s to %s", (state, isSuspended, expected) => {
    const { output, refusal } = change({ whom: person(WHOM, "SUPPORT", { state }), isSuspended });
    expect(output?.state ?? refusal?.code).toBe(expected);
  });

  it("ends the sessions of that person and of no other", () => {
    expect(endedSessions(change({ isSuspended: true }))).toEqual([idOf("30"), idOf("31")]);
    expect(endedSessions(change({ grants: [on(null, "VIEWER")] }))).toEqual([
      idOf("30"),
      idOf("31"),
    ]);
  });

  it("joins the person with the one who gives roles, and with no one where roles stay", () => {
    const until = DECIDED_AT + JOINED_MS;
    expect(change({ grants: [on(null, "VIEWER")] }).output?.joined).toEqual([{ id: BY, until }]);
    expect(change({ isSuspended: true }).output?.joined).toEqual([]);
    expect(change({ by: null, grants: [on(null, "VIEWER")] }).output?.joined).toEqual([]);
  });

  it.each<[string, Case, string]>([
    [
      "demotes the last owner",
      { by: null, whom: lastOwner, grants: [on(null, "ADMIN")] },
      "CONFLICT",
    ],
    ["demotes one of two", { whom: lastOwner, grants: [on(null, "ADMIN")] }, "decided"],
    [
      "suspends one beside a suspended owner",
      {
        by: null,
        whom: lastOwner,
        others: [person(OTHER, "OWNER", { state: "SUSPENDED" })],
        isSuspended: true,
      },
      "CONFLICT",
    ],
    [
      "suspends one beside an owner who has not come",
      {
        by: null,
        whom: lastOwner,
        others: [person(OTHER, "OWNER", { state: "INVITED" })],
        isSuspended: true,
      },
      "CONFLICT",
    ],
    [
      "demotes an owner who is suspended already",
      {
        by: null,
        whom: person(WHOM, "OWNER", { state: "SUSPENDED" }),
        grants: [on(null, "VIEWER")],
      },
      "decided",
    ],
    [
      "leaves the last owner an owner",
      { by: null, whom: lastOwner, grants: [on(null, "OWNER", "FINANCE")] },
      "decided",
    ],
  ])("that %s is answered as it must be", (_what, scene, expected) => {
    expect(named(change(scene).refusal)).toBe(expected);
  });

  it("makes an owner of a person without a passkey only before that person has come", () => {
    const owners = [on(null, "OWNER")];
    const without = (state: PersonState) =>
      named(
        change({ whom: person(WHOM, "SUPPORT", { state }), grants: owners, hasPasskey: false })
          .refusal,
        "field",
      );
    expect(without("ACTIVE")).toBe("CONFLICT roles");
    expect(without("SUSPENDED")).toBe("CONFLICT roles");
    expect(without("INVITED")).toBe("decided");
    expect(named(change({ grants: owners }).refusal)).toBe("decided");
    expect(named(change({ grants: [on(null, "ADMIN")], hasPasskey: false }).refusal)).toBe(
      "decided",
    );
  });
});

describe("the removal of a person", () => {
  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { whom: undefined }],
      ["REFERENCE_NOT_FOUND", { whom: person(WHOM, "SUPPORT", { state: "REMOVED" }) }],
      ["FORBIDDEN", { by: stranger }],
      ["CONFLICT", { by: null, whom: lastOwner }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(remove(scene).refusal)).toBe(expected);
  });

  it.each<PersonState>(["ACTIVE", "INVITED", "SUSPENDED"])(
    "takes all that one who is %s has",
    (state) => {
      const whom = person(WHOM, "SUPPORT", { state, isOperator: true });
      const removed = remove({ whom });
      expect(removed.output).toMatchObject({
        state: "REMOVED",
        isOperator: false,
        roles: [],
        email: whom.email,
        name: whom.name,
      });
      expect(written(removed.world, personPasskeys).map((one) => one.deletedAt)).toEqual([
        DECIDED_AT,
      ]);
      expect(
        written(removed.world, personLinks).map(({ id, endedAt, urlSealed }) => [
          id,
          endedAt,
          urlSealed,
        ]),
      ).toEqual([
        [idOf("10"), DECIDED_AT, null],
        [idOf("11"), DECIDED_AT, null],
      ]);
      expect(endedSessions(removed)).toEqual([idOf("30"), idOf("31")]);
    },
  );

  it("leaves an owner who can sign in", () => {
    expect(named(remove({ whom: lastOwner }).refusal)).toBe("decided");
    const gone = person(OTHER, "OWNER", { state: "REMOVED" });
    expect(named(remove({ by: null, whom: lastOwner, others: [gone] }).refusal)).toBe("CONFLICT");
    const suspended = person(WHOM, "OWNER", { state: "SUSPENDED" });
    expect(named(remove({ by: null, whom: suspended }).refusal)).toBe("decided");
  });
});

describe("a link for a new passkey", () => {
  it.each(
    inOrder<Case>([
      ["REFERENCE_NOT_FOUND", { whom: undefined }],
      ["REFERENCE_NOT_FOUND", { whom: person(WHOM, "SUPPORT", { state: "REMOVED" }) }],
      ["FORBIDDEN", { by: stranger }],
      ["CONFLICT SUSPENDED", { whom: person(WHOM, "SUPPORT", { state: "SUSPENDED" }) }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(reEnrol(scene).refusal, "status")).toBe(expected);
  });

  it.each<[PersonState, string, string | undefined, string, number]>([
    ["ACTIVE", "RE_ENROL", "sealed", "RE_ENROLMENT", 24],
    ["ACTIVE", "RE_ENROL", undefined, "RE_ENROLMENT_ISSUED", 24],
    ["INVITED", "INVITE", "sealed", "INVITATION", 7 * 24],
    ["INVITED", "INVITE", undefined, "", 7 * 24],
  ])("of one who is %s is %s, with the link %s mails %s, and lives %s hours", (...row) => {
    const [state, kind, urlSealed, about, hours] = row;
    const issued = reEnrol({
      whom: person(WHOM, "SUPPORT", { state }),
      ...(urlSealed === undefined ? {} : { urlSealed }),
    });
    expect(issued.output?.link).toMatchObject({
      kind,
      personId: WHOM,
      makesOperator: false,
      expiresAt: DECIDED_AT + hours * HOUR_MS,
      urlSealed: urlSealed ?? null,
    });
    expect(mails(issued)).toEqual(about === "" ? [] : [[WHOM, about]]);
  });

  it("takes the place of the links that the person has, and of no other", () => {
    const ended = written(reEnrol({}).world, personLinks).filter((one) => one.endedAt !== null);
    expect(ended.map(({ id, urlSealed }) => [id, urlSealed])).toEqual([
      [idOf("10"), null],
      [idOf("11"), null],
    ]);
  });

  it("joins the person with each who has seen it", () => {
    const until = DECIDED_AT + JOINED_MS;
    const others = [person(OTHER, "OWNER")];
    const ids = (scene: Case) => reEnrol({ others, ...scene }).output?.person.joined;
    expect(ids({})).toEqual([{ id: BY, until }]);
    expect(ids({ shownTo: OTHER })).toEqual([
      { id: BY, until },
      { id: OTHER, until },
    ]);
    expect(ids({ by: null })).toEqual([]);
  });
});

describe("an invitation", () => {
  it.each(
    inOrder<Case>([
      ["FORBIDDEN", { by: stranger, email: support.email }],
      ["CONFLICT email", { email: support.email }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(invite(scene).refusal, "field")).toBe(expected);
  });

  it("takes the address of a person who was removed", () => {
    const gone = person(WHOM, "SUPPORT", { state: "REMOVED" });
    expect(invite({ whom: gone, email: gone.email }).refusal).toBeUndefined();
  });

  it.each<PersonState>(["ACTIVE", "INVITED", "SUSPENDED"])(
    "leaves the address of one who is %s",
    (state) => {
      const whom = person(WHOM, "SUPPORT", { state });
      expect(named(invite({ whom, email: whom.email }).refusal)).toBe("CONFLICT");
    },
  );

  it("makes a person who may do nothing yet, and a link of a week", () => {
    const grants = [on(PLATFORM_A, "FINANCE"), on(null, "VIEWER")];
    const { output, world } = invite({ grants });
    expect(output?.person).toMatchObject({
      state: "INVITED",
      isOperator: false,
      roles: grants,
      approvesFrom: null,
      joined: [{ id: BY, until: DECIDED_AT + JOINED_MS }],
    });
    expect(output?.link).toMatchObject({
      kind: "INVITE",
      makesOperator: false,
      expiresAt: DECIDED_AT + 7 * 24 * HOUR_MS,
      urlSealed: null,
    });
    expect([world.jobs, world.handles]).toEqual([[], ["person-link:new"]]);
  });

  it("is mailed for a day with the link where there is a mail server", () => {
    const { output, world } = invite({ urlSealed: "sealed" });
    expect(world.jobs.map(({ kind, payload }) => [kind, payload])).toEqual([
      [
        "mail-person",
        {
          recipientId: NEW,
          personId: NEW,
          about: "INVITATION",
          linkId: output?.link.id,
          until: DECIDED_AT + 24 * HOUR_MS,
        },
      ],
    ]);
  });

  it("joins the person with the one who agreed to it and saw the link", () => {
    const { output } = invite({ others: [person(OTHER, "OWNER")], shownTo: OTHER });
    expect(output?.person.joined.map(({ id }) => id)).toEqual([BY, OTHER]);
  });
});

describe("a link of the first owner", () => {
  const issue = (staff: Staff, hasWorkspace = true) =>
    decided({
      command: issueStartLink,
      input: { codeHash: "start", makesOperator: true },
      platformId: WORKSPACE,
      tables: workspaceRows(staff).filter(
        ([table]) => hasWorkspace || table.name !== workspaces.name,
      ),
    });

  it("is refused for a workspace that is not there, and then for one that has an owner", () => {
    expect(named(issue({ people: [owner] }, false).refusal)).toBe("REFERENCE_NOT_FOUND");
    expect(named(issue({}, false).refusal)).toBe("REFERENCE_NOT_FOUND");
    expect(named(issue({ people: [owner] }).refusal)).toBe("CONFLICT");
  });

  it.each<[string, readonly Person[]]>([
    ["nobody", []],
    ["an owner who is suspended", [{ ...owner, state: "SUSPENDED" }]],
    ["an owner who was removed", [{ ...owner, state: "REMOVED" }]],
    ["an admin", [person(BY, "ADMIN")]],
  ])("lives a day where the workspace has %s", (_whom, some) => {
    expect(issue({ people: some }).output).toMatchObject({
      kind: "START",
      personId: null,
      makesOperator: true,
      expiresAt: DECIDED_AT + 24 * HOUR_MS,
    });
  });
});
