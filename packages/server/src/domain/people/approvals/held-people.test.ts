import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { type Person, people } from "../person.ts";
import { capabilitiesOf, type Role, roles } from "../role.ts";
import { type Approval, approvals, type SealedContent } from "./approval.ts";
import { mayAskOrDecideAny } from "./approval-kinds.ts";
import { carryOutInTime } from "./decide-approval.ts";
import { changePersonOrder, removePersonOrder } from "./held-people.ts";
import { type HeldInput, holding } from "./hold-order.ts";

describe("a role that is granted by two owners", () => {
  it("is each by which a person asks for an order of any kind or decides about one", () => {
    expect(roles.filter((role) => !mayAskOrDecideAny([role]))).toEqual(["VIEWER"]);
  });

  it("decides about payments in production where it is one that the last-decider rule looks for", () => {
    const deciding = roles.filter((role) =>
      capabilitiesOf([role], "PRODUCTION").has("payments.approve"),
    );
    expect(deciding).toEqual(["OWNER", "APPROVER"]);
  });
});

const idOf = (digit: string) => `019a4f00-0000-7000-8000-0000000000${digit}`;
const WORKSPACE = idOf("00");
const PLATFORM = idOf("01");
const SANDBOX = idOf("02");
const [ANA, BEN, CY, PIA, VIC] = ["0a", "0b", "0c", "0d", "0e"].map(idOf) as [
  string,
  string,
  string,
  string,
  string,
];

function person(id: string, role: Role, more: Partial<Person> = {}): Person {
  return {
    id,
    email: `${id}@example.com`,
    name: "A person",
    locale: null,
    timeZone: null,
    state: "ACTIVE",
    isOperator: false,
    roles: [{ platformId: null, roles: [role] }],
    approvesFrom: null,
    joined: [],
    passkeyPutOffAt: null,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}

const ana = person(ANA, "OWNER");
const ben = person(BEN, "OWNER");
const cy = person(CY, "OWNER");
const pia = person(PIA, "APPROVER");
const vic = person(VIC, "VIEWER");
const suspended = { state: "SUSPENDED" } as const;
const rolesOf = (...held: Role[]) => ({ roles: [{ platformId: null, roles: held }] });

const sealed: SealedContent = { content: {}, contentSealed: "sealed", sealId: idOf("ff") };

interface Asked {
  readonly staff: readonly Person[];
  readonly whom: string;
  readonly by?: string;
  /** Removed where it is absent. */
  readonly change?: { readonly roles?: Person["roles"]; readonly isSuspended?: boolean };
  readonly environment?: "SANDBOX" | "PRODUCTION";
  readonly mustShowPasskey?: boolean;
}

/** Ana asks for it. */
function outcomeOf({ staff, whom, change, by = ANA, ...rest }: Asked) {
  const { environment = "PRODUCTION", mustShowPasskey = false } = rest;
  const base = { personId: whom, by, productionIds: new Set([PLATFORM]) };
  const hasTwoOwners =
    staff.filter(
      ({ state, roles: [grant] }) => state === "ACTIVE" && grant?.roles.includes("OWNER"),
    ).length > 1;
  const run = <Input, Output>(
    order: Parameters<typeof holding<Input, Output>>[0],
    input: Input,
  ) => {
    const command = holding(order);
    const held: HeldInput<Input> = { input, sealed, hasTwoOwners, environment, mustShowPasskey };
    const tables = [rowsOf(people, ...staff)];
    const world = worldFor({ command, input: held, platformId: WORKSPACE, tables });
    world.begin({ kind: "person", id: by, people: [by] }, 5n);
    const decided: { kind?: string; approval?: Approval } = {};
    const refusal = refusalOf(world, () => Object.assign(decided, command.decide(world, held)));
    const mails = world.jobs
      .filter(({ kind: of }) => of === "mail-person")
      .map(({ payload }) => [payload.recipientId, payload.about]);
    const jobs = world.jobs.map(({ kind: of }) => of).filter((of) => of !== "mail-person");
    return { ...decided, refusal, mails, jobs };
  };
  return change === undefined
    ? run(removePersonOrder, base)
    : run(changePersonOrder, { ...base, ...change });
}

const suspension = { isSuspended: true };
const reinstatement = { isSuspended: false };

describe("a change of the people who keep each other in check", () => {
  it.each<[string, Asked]>([
    ["a viewer", { staff: [ana, ben, vic], whom: VIC }],
    ["an approver beside another owner", { staff: [ana, ben, pia], whom: PIA }],
    ["one of two approvers", { staff: [ana, pia, person(VIC, "APPROVER")], whom: PIA }],
    [
      "the approver of a sandbox",
      {
        staff: [
          ana,
          person(PIA, "APPROVER", { roles: [{ platformId: SANDBOX, roles: ["APPROVER"] }] }),
        ],
        whom: PIA,
      },
    ],
    ["an owner who was invited", { staff: [ana, ben, { ...cy, state: "INVITED" }], whom: CY }],
    ["an owner who is suspended", { staff: [ana, ben, { ...cy, ...suspended }], whom: CY }],
    ["the one who asks", { staff: [ana, ben], whom: ANA }],
    [
      "an owner where no platform is in production",
      { staff: [ana, ben], whom: BEN, environment: "SANDBOX" },
    ],
  ])("takes effect at once when it removes %s", (_, asked) => {
    expect(outcomeOf(asked)).toMatchObject({ kind: "done" });
  });

  it.each<[string, Asked, string]>([
    ["removes an owner", { staff: [ana, ben, cy], whom: BEN }, "The removal of"],
    [
      "suspends an owner",
      { staff: [ana, ben, cy], whom: BEN, change: suspension },
      "The suspension of",
    ],
    [
      "demotes an owner",
      { staff: [ana, ben, cy], whom: BEN, change: rolesOf("FINANCE") },
      "Fewer roles for",
    ],
    [
      "demotes an owner to an approver",
      { staff: [ana, ben, cy], whom: BEN, change: rolesOf("APPROVER") },
      "Fewer roles for",
    ],
    [
      "reinstates an owner",
      { staff: [ana, { ...ben, ...suspended }, cy], whom: BEN, change: reinstatement },
      "The reinstatement of",
    ],
  ])("waits for the third owner when it %s", (_, asked, summary) => {
    const { approval, mails, jobs } = outcomeOf(asked);
    expect(approval).toMatchObject({
      kind: "OWNER_CHANGE",
      summary: `${summary} Person:${BEN}, an owner`,
      approvalsNeeded: 1,
      gainers: [BEN],
      capabilities: ["policies.write"],
    });
    expect(jobs).toEqual(["expire-approval", "mail-approvers"]);
    expect(mails.toSorted()).toEqual([ANA, BEN, CY].map((id) => [id, "OWNER_CHANGE_ASKED"]));
  });

  it.each<[string, Asked]>([
    ["removes the other owner", { staff: [ana, ben, pia], whom: BEN }],
    ["suspends the other owner", { staff: [ana, ben], whom: BEN, change: suspension }],
    ["demotes the other owner", { staff: [ana, ben], whom: BEN, change: rolesOf("FINANCE") }],
    [
      "removes the other owner beside a suspended third",
      { staff: [ana, ben, { ...cy, ...suspended }], whom: BEN },
    ],
    ["removes the last other person who decides", { staff: [ana, pia], whom: PIA }],
    [
      "suspends the last other person who decides",
      { staff: [ana, pia, vic], whom: PIA, change: suspension },
    ],
    [
      "takes the role of the last other person who decides",
      { staff: [ana, pia], whom: PIA, change: rolesOf("FINANCE") },
    ],
  ])("takes effect in a day, in which it may be rejected, when it %s", (_, asked) => {
    const { approval, mails, jobs } = outcomeOf(asked);
    expect(approval).toMatchObject({
      kind: "OWNER_CHANGE",
      approvalsNeeded: 0,
      gainers: [],
      expiresAt: DECIDED_AT + 24 * 60 * 60 * 1000,
    });
    expect(jobs).toEqual(["carry-out-approval"]);
    expect(mails).toContainEqual([asked.whom, "OWNER_CHANGE_TIMED"]);
    expect(mails).toContainEqual([ANA, "OWNER_CHANGE_TIMED"]);
  });

  it("gives a sole owner another one back at once", () => {
    const { kind, mails } = outcomeOf({
      staff: [ana, { ...ben, ...suspended }],
      whom: BEN,
      change: reinstatement,
    });
    expect(kind).toBe("done");
    expect(mails.toSorted()).toEqual([ANA, BEN].map((id) => [id, "OWNER_CHANGED"]));
  });

  it("waits as a grant of roles where it reinstates a person and gives them one", () => {
    const staff = [ana, ben, { ...vic, ...suspended }];
    const change = { ...reinstatement, ...rolesOf("ADMIN") };
    expect(outcomeOf({ staff, whom: VIC, change }).approval).toMatchObject({
      kind: "ROLE_GRANT",
      approvalsNeeded: 1,
    });
  });
});

it("what waits is asked for with a passkey, and what does not wait without one", () => {
  const mustShowPasskey = true;
  const held = outcomeOf({ staff: [ana, ben, cy], whom: BEN, mustShowPasskey });
  expect(held.refusal).toMatchObject({
    code: "FORBIDDEN",
    details: { reason: "STEP_UP_REQUIRED", proof: "PASSKEY" },
  });
  expect([held.kind, held.mails, held.jobs]).toEqual([undefined, [], []]);
  expect(outcomeOf({ staff: [ana, ben, vic], whom: VIC, mustShowPasskey }).kind).toBe("done");
});

describe("an order that needed no agreement", () => {
  const asked = outcomeOf({ staff: [ana, ben], whom: BEN, change: suspension }).approval;
  const input = { personId: BEN, by: ANA, productionIds: new Set([PLATFORM]), isSuspended: true };
  const { command, resultOf } = changePersonOrder;
  const order = {
    content: {},
    needs: (world: Parameters<typeof command.needs>[0]) => command.needs(world, input),
    carryOut: (world: Parameters<typeof command.decide>[0]) =>
      resultOf(command.decide(world, input)),
  };

  function carriedOut({
    staff = [ana, ben],
    change = {},
    at = DECIDED_AT + 24 * 60 * 60 * 1000,
  }: {
    staff?: readonly Person[];
    change?: Partial<Approval>;
    at?: number;
  } = {}) {
    const approval = { ...(asked as Approval), ...change };
    const job = { approvalId: approval.id, jobId: idOf("77"), order };
    const tables = [rowsOf(people, ...staff), rowsOf(approvals, approval)];
    const world = worldFor({
      command: carryOutInTime,
      input: job,
      platformId: WORKSPACE,
      tables,
      at,
    });
    let isOver: boolean | undefined;
    expect(refusalOf(world, () => (isOver = carryOutInTime.decide(world, job)))).toBeUndefined();
    const { state, failure } = world.find(approvals.ref(approval.id)) ?? {};
    return { isOver, state, code: failure?.code, of: world.find(people.ref(BEN))?.state };
  }

  it.each<[string, Parameters<typeof carriedOut>[0], object]>([
    ["is carried out when its time has come", {}, { isOver: true, state: "DONE", of: "SUSPENDED" }],
    ["is not before", { at: DECIDED_AT + 1 }, { isOver: false, state: "PENDING", of: "ACTIVE" }],
    [
      "is not when it was rejected",
      { change: { state: "REJECTED", jobId: null } },
      { isOver: true, state: "REJECTED", of: "ACTIVE" },
    ],
    [
      "fails when the one who asked is suspended",
      { staff: [{ ...ana, ...suspended }, ben] },
      { state: "FAILED", code: "FORBIDDEN", of: "ACTIVE" },
    ],
    [
      "fails when the one who asked is no owner any more",
      { staff: [{ ...ana, ...rolesOf("ADMIN") }, ben] },
      { state: "FAILED", code: "FORBIDDEN", of: "ACTIVE" },
    ],
  ])("%s", (_, given, expected) => {
    expect(carriedOut(given)).toMatchObject(expected);
  });
});
