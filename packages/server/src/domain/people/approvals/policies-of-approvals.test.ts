/** Which acts wait for how many people, and which changes of a policy are refused or need another owner. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided } from "../../../../test/kit/decided.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { idOf, on, PLATFORM_A, person } from "../../../../test/kit/person-rows.ts";
import { platforms } from "../../platform.ts";
import { type ApprovalKind, approvalKinds, type KindRule, noteOf } from "./approval-kinds.ts";
import {
  type Amount,
  approvalPolicies,
  approvalsNeeded,
  type PolicyRules,
  ruleFor,
} from "./approval-policy.ts";
import { approverOf, hasTwoDeciders, hasTwoOwners } from "./eligible-people.ts";
import { paymentWait } from "./payment-orders.ts";
import { asksLess, type PolicyChanges, setPolicy } from "./set-policy.ts";

const TWO = "WITH_TWO_OWNERS";

describe("the rule of a kind where no policy says otherwise", () => {
  it.each<[ApprovalKind, KindRule["waits"], KindRule["waits"]]>([
    ["ADJUSTMENT", true, true],
    ["PAYMENT", false, true],
    ["TOKEN", true, true],
    ["PAYEE", false, false],
    ["AGENT_POLICY", false, true],
    ["UNFREEZE", false, true],
    ["KYC_OVERRIDE", false, true],
    ["ROLE_GRANT", false, TWO],
    ["REENROLMENT", false, TWO],
    ["ISSUER", false, TWO],
    ["OWNER_CHANGE", false, true],
    ["POLICY", false, TWO],
    ["CONTROL", false, TWO],
  ])("%s waits in a sandbox: %s, in production: %s", (kind, sandbox, production) => {
    expect(ruleFor(kind, "SANDBOX", undefined)).toEqual({ waits: sandbox });
    expect(ruleFor(kind, "PRODUCTION", undefined)).toEqual({ waits: production });
  });

  it.each(approvalKinds)("of %s is the policy's in what is not fixed", (kind) => {
    const { isFixed, defaults } = noteOf(kind);
    for (const waits of [true, false] as const) {
      const rule = ruleFor(kind, "PRODUCTION", {
        rules: { [kind]: { waits, twoAbove: { USD: 5 } } },
      });
      expect(rule.waits).toBe(isFixed === true ? defaults.PRODUCTION.waits : waits);
      expect(rule.twoAbove).toEqual({ USD: 5 });
    }
    const other = kind === "PAYMENT" ? "PAYEE" : "PAYMENT";
    const rules = { [other]: { waits: false } };
    expect(ruleFor(kind, "PRODUCTION", { rules })).toEqual(defaults.PRODUCTION);
  });
});

describe("the people whom an act needs", () => {
  const usd = (minor: bigint): Amount => ({ currency: "USD", minor });
  const rule: KindRule = { waits: true, above: { USD: 100 }, twoAbove: { USD: 500 } };

  it.each<[string, KindRule, Amount | undefined, boolean, number]>([
    ["it does not wait", { waits: false }, undefined, true, 0],
    ["it does not wait, whatever the amount", { ...rule, waits: false }, usd(900n), true, 0],
    ["it waits", { waits: true }, undefined, false, 1],
    ["it waits with two owners, of whom there is one", { waits: TWO }, undefined, false, 0],
    ["it waits with two owners, who are there", { waits: TWO }, undefined, true, 1],
    ["it has no amount", rule, undefined, false, 1],
    ["the amount is the limit", rule, usd(100n), false, 0],
    ["the amount is above the limit", rule, usd(101n), false, 1],
    ["the amount is the limit for two", rule, usd(500n), false, 1],
    ["the amount is above the limit for two", rule, usd(501n), false, 2],
    ["the currency has no limits", rule, { currency: "EUR", minor: 900n }, false, 1],
    ["the amount is nothing", { waits: true }, usd(0n), false, 0],
    ["the smallest amount has no limit", { waits: true }, usd(1n), false, 1],
    ["two are needed for all", { waits: true, twoAbove: { USD: 0 } }, usd(1n), false, 2],
    [
      "the limit for two is the lower one",
      { waits: true, above: { USD: 9 }, twoAbove: { USD: 5 } },
      usd(7n),
      false,
      0,
    ],
  ])("are as the rule says where %s", (_when, one, amount, isWithTwo, expected) => {
    expect(approvalsNeeded(one, { amount, hasTwoOwners: isWithTwo })).toBe(expected);
  });
});

describe("a payment that is only thought of", () => {
  const [ASKER, ONE, OTHER] = [idOf("a1"), idOf("a2"), idOf("a3")];
  const approver = (id: string) => person(id, "APPROVER");
  const everybody = [person(ASKER, "OWNER"), approver(ONE), approver(OTHER)];
  const limits: KindRule = { waits: true, above: { USD: 100 }, twoAbove: { USD: 500 } };
  const think = (minor: bigint, rule: KindRule | undefined, people = everybody, currency = "USD") =>
    paymentWait({
      amount: { currency, minor },
      policy: rule && { rules: { PAYMENT: rule } },
      place: { platform: { id: PLATFORM_A, environment: "PRODUCTION" }, people, now: DECIDED_AT },
      by: { personId: ASKER, people: [ASKER] },
    });
  const usd = (minor: bigint) => ({ currency: "USD", minor });

  it.each<[string, bigint, KindRule | undefined, object]>([
    [
      "no policy",
      1n,
      undefined,
      { approvalsNeeded: 1, above: usd(0n), twoAbove: undefined, isBlocked: false },
    ],
    [
      "a policy by which none waits",
      9_999n,
      { ...limits, waits: false },
      { approvalsNeeded: 0, above: undefined, twoAbove: undefined, isBlocked: false },
    ],
    ["the limit", 100n, limits, { approvalsNeeded: 0, above: usd(100n), isBlocked: false }],
    ["more than the limit", 101n, limits, { approvalsNeeded: 1, isBlocked: false }],
    ["the limit for two", 500n, limits, { approvalsNeeded: 1, twoAbove: usd(500n) }],
    ["more than that for two", 501n, limits, { approvalsNeeded: 2, isBlocked: false }],
  ])("with %s waits as the rule says", (_what, minor, rule, expected) => {
    expect(think(minor, rule)).toMatchObject(expected);
  });

  it("is blocked where too few others may decide", () => {
    const [asker, one] = everybody;
    const alone = asker === undefined ? [] : [asker];
    const two = one === undefined ? alone : [...alone, one];
    expect(think(501n, limits, two).isBlocked).toBe(true);
    expect(think(101n, limits, two).isBlocked).toBe(false);
    expect(think(101n, limits, alone).isBlocked).toBe(true);
    expect(think(100n, limits, alone).isBlocked).toBe(false);
  });

  it("has the limits of its own currency", () => {
    expect(think(50n, limits, everybody, "EUR")).toEqual({
      approvalsNeeded: 1,
      above: { currency: "EUR", minor: 0n },
      twoAbove: undefined,
      isBlocked: false,
    });
  });
});

interface Setting {
  readonly isOfWorkspace?: boolean;
  readonly rules?: PolicyRules;
  readonly people?: number;
}

function set(changes: PolicyChanges, { isOfWorkspace = false, rules, people = 2 }: Setting = {}) {
  const before = { id: PLATFORM, rules: rules ?? {}, createdAt: 1, updatedAt: 1 };
  return decided({
    command: setPolicy,
    input: { changes, environment: "PRODUCTION", canSatisfy: (_kind, needed) => needed <= people },
    platformId: PLATFORM,
    tables: [
      rowsOf(
        platforms,
        ...(isOfWorkspace ? [] : [{ ...platform, environment: "PRODUCTION" as const }]),
      ),
      rowsOf(approvalPolicies, ...(rules === undefined ? [] : [before])),
    ],
  });
}

/** The fields of the refusal. */
const faults = (...args: Parameters<typeof set>): readonly string[] => {
  const errors: unknown = set(...args).refusal?.details?.errors;
  return Array.isArray(errors) ? errors.map(({ field }: { readonly field: string }) => field) : [];
};

describe("a change of a policy", () => {
  it.each(approvalKinds)(
    "of %s belongs to a platform or to the workspace, and may be fixed",
    (kind) => {
      const { isOfWorkspace = false, isFixed = false } = noteOf(kind);
      for (const here of [true, false]) {
        const isAtHome = kind === "POLICY" || here === isOfWorkspace;
        const expected = !isAtHome ? [`rules.${kind}`] : isFixed ? [`rules.${kind}.waits`] : [];
        expect(faults({ [kind]: { waits: false } }, { isOfWorkspace: here })).toEqual(expected);
      }
    },
  );

  it.each(approvalKinds)("of %s has amounts where the kind has them", (kind) => {
    const { isOfWorkspace = false, isFixed = false, hasAmounts = false } = noteOf(kind);
    const asked = (name: "above" | "twoAbove") =>
      faults({ [kind]: { [name]: { USD: 5 } } }, { isOfWorkspace });
    expect(asked("twoAbove")).toEqual(hasAmounts ? [] : [`rules.${kind}.twoAbove`]);
    expect(asked("above")).toEqual(hasAmounts && !isFixed ? [] : [`rules.${kind}.above`]);
  });

  it.each<[string, PolicyChanges, PolicyRules | undefined, number, readonly string[]]>([
    ["asks for one, who is there", { PAYEE: { waits: true } }, undefined, 1, []],
    ["asks for one, who is not there", { PAYEE: { waits: true } }, undefined, 0, ["rules.PAYEE"]],
    [
      "asks for two, of whom one is there",
      { PAYMENT: { twoAbove: { USD: 5 } } },
      undefined,
      1,
      ["rules.PAYMENT"],
    ],
    ["asks for no more than before", { PAYMENT: { above: { USD: 5 } } }, undefined, 0, []],
    [
      "asks for as many as before",
      { PAYMENT: { twoAbove: { USD: 9 } } },
      { PAYMENT: { waits: true, twoAbove: { USD: 5 } } },
      0,
      [],
    ],
    ["asks for less", { PAYMENT: { waits: false } }, undefined, 0, []],
  ])("that %s is answered as it must be", (_what, changes, rules, people, expected) => {
    expect(faults(changes, { rules: rules ?? {}, people })).toEqual(expected);
  });

  it("is told all that is wrong at once, and changes nothing then", () => {
    const { refusal, world } = set({
      TOKEN: { waits: false },
      ISSUER: { waits: false },
      PAYEE: { above: { USD: 1 } },
    });
    expect(refusal?.details?.errors).toHaveLength(3);
    expect(world.isEmpty).toBe(true);
  });

  it("replaces what is sent of a rule and keeps the rest", () => {
    const rules = { PAYMENT: { waits: true, above: { USD: 5 } }, PAYEE: { waits: true } };
    const { output } = set({ PAYMENT: { twoAbove: { USD: 9 } } }, { rules });
    expect(output?.policy).toEqual({
      id: PLATFORM,
      rules: {
        PAYMENT: { waits: true, above: { USD: 5 }, twoAbove: { USD: 9 } },
        PAYEE: { waits: true },
      },
      createdAt: 1,
      updatedAt: DECIDED_AT,
    });
  });

  it.each<[string, PolicyChanges, readonly ApprovalKind[]]>([
    ["lets payments go", { PAYMENT: { waits: false } }, ["PAYMENT"]],
    ["lets small payments go", { PAYMENT: { above: { USD: 5 } } }, ["PAYMENT"]],
    ["holds payees", { PAYEE: { waits: true } }, []],
    ["asks for two", { PAYMENT: { twoAbove: { USD: 5 } } }, []],
    [
      "lets some go and holds others",
      { PAYEE: { waits: true }, UNFREEZE: { waits: false } },
      ["UNFREEZE"],
    ],
    ["sends what is so already", { PAYMENT: { waits: true } }, []],
  ])("that %s loosens %j", (_what, changes, loosened) => {
    expect(set(changes).output?.loosened).toEqual(loosened);
  });
});

describe("a rule asks for less than another", () => {
  it.each<[string, KindRule, KindRule, boolean]>([
    ["always, then with two owners", { waits: true }, { waits: TWO }, true],
    ["with two owners, then never", { waits: TWO }, { waits: false }, true],
    ["never, then always", { waits: false }, { waits: true }, false],
    ["the same", { waits: true, above: { USD: 5 } }, { waits: true, above: { USD: 5 } }, false],
    [
      "a higher limit",
      { waits: true, above: { USD: 5 } },
      { waits: true, above: { USD: 6 } },
      true,
    ],
    [
      "a lower limit",
      { waits: true, above: { USD: 5 } },
      { waits: true, above: { USD: 4 } },
      false,
    ],
    [
      "a limit in another currency",
      { waits: true, above: { USD: 5 } },
      { waits: true, above: { USD: 5, EUR: 1 } },
      true,
    ],
    ["no limit any more", { waits: true, above: { USD: 5 } }, { waits: true, above: {} }, false],
    [
      "two from more on",
      { waits: true, twoAbove: { USD: 5 } },
      { waits: true, twoAbove: { USD: 6 } },
      true,
    ],
    ["two no longer", { waits: true, twoAbove: { USD: 5 } }, { waits: true, twoAbove: {} }, true],
    [
      "two from less on",
      { waits: true, twoAbove: { USD: 5 } },
      { waits: true, twoAbove: { USD: 4 } },
      false,
    ],
  ])("%s: %#", (_what, before, after, expected) => {
    expect(asksLess(before, after)).toBe(expected);
  });
});

describe("who may decide", () => {
  const [ana, otto, bo] = [
    person(idOf("1"), "OWNER"),
    person(idOf("2"), "APPROVER"),
    person(idOf("3"), "VIEWER"),
  ];
  const place = (environment: "SANDBOX" | "PRODUCTION" | undefined, people = [ana, otto, bo]) => ({
    platform: environment === undefined ? undefined : { id: PLATFORM_A, environment },
    people,
    now: DECIDED_AT,
  });

  it.each([
    ["PRODUCTION", [idOf("2"), idOf("1")]],
    ["SANDBOX", [idOf("2")]],
    [undefined, [idOf("2"), idOf("1")]],
  ] as const)(
    "counts as those whom a person is joined with, but in a sandbox: %s",
    (environment, expected) => {
      const joined = { ...otto, joined: [{ id: idOf("1"), until: DECIDED_AT + 1 }] };
      const approver = approverOf(joined, place(environment, [ana, joined, bo]));
      expect(approver.lineage).toEqual(expected);
      expect(approver.sameHuman).toEqual([...expected].sort());
    },
  );

  it.each([
    [null, false],
    [DECIDED_AT, false],
    [DECIDED_AT + 1, true],
  ])("is suspended until %s: %s", (approvesFrom, isSuspended) => {
    expect(approverOf({ ...otto, approvesFrom }, place("PRODUCTION")).isSuspended).toBe(
      isSuspended,
    );
  });

  it.each([
    ["SANDBOX", [ana], true],
    ["SANDBOX", [ana, otto], false],
    ["PRODUCTION", [ana], false],
    [undefined, [ana], false],
  ] as const)("is alone in %s: %#", (environment, people, isAlone) => {
    expect(approverOf(ana, place(environment, [...people])).isAlone).toBe(isAlone);
  });

  it("is told by the number of owners and of deciders at the place", () => {
    expect([hasTwoOwners([ana, otto]), hasTwoOwners([ana, { ...otto, roles: ana.roles }])]).toEqual(
      [false, true],
    );
    expect(hasTwoDeciders(place("PRODUCTION"))).toBe(true);
    expect(hasTwoDeciders(place("PRODUCTION", [ana, bo]))).toBe(false);
    const elsewhere = { ...otto, roles: [on(idOf("77"), "APPROVER")] };
    expect(hasTwoDeciders(place("PRODUCTION", [ana, elsewhere]))).toBe(false);
    const developer = person(idOf("4"), "DEVELOPER");
    expect(hasTwoDeciders(place("SANDBOX", [ana, developer]))).toBe(true);
    expect(hasTwoDeciders(place("PRODUCTION", [ana, developer]))).toBe(false);
  });
});
