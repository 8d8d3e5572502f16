import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratio } from "../../money/ratio.ts";
import { type ActionFacts, judgeAction, type RateOf } from "./actions/judge-action.ts";
import { NOTHING_RESERVED, noUsage } from "./actions/usage.ts";
import {
  type AgentPolicy,
  agentPermissions,
  mergePolicy,
  type PolicyChanges,
} from "./agent-policy.ts";
import { widenedBy } from "./widened-policy.ts";

const policy: AgentPolicy = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "APPROVAL_REQUIRED",
  spendingLimits: {
    currency: "USD",
    perTransactionLimit: 100,
    dailyLimit: 200,
    dailyTransactionLimit: 3,
    monthlyLimit: 400,
  },
  accountRestrictions: {
    allowedAccountIds: ["InternalAccount:1"],
    accountRules: [
      {
        accountId: "InternalAccount:1",
        executionMode: "APPROVAL_REQUIRED",
        perTransactionLimit: 50,
      },
    ],
    payees: { mode: "LISTED", externalAccountIds: ["ExternalAccount:1"], umaAddresses: ["$a@b.c"] },
    fundingAccountIds: [],
  },
  approvalThresholds: { currency: "USD", amount: 10 },
};

const rules = (
  ...accountRules: NonNullable<AgentPolicy["accountRestrictions"]>["accountRules"] & {}
) => ({
  accountRestrictions: { accountRules },
});
const payees = (more: object) => ({
  accountRestrictions: { payees: { mode: "LISTED", externalAccountIds: [], ...more } },
});

type Row = readonly [what: string, changes: object, widened: readonly string[]];
const limits = "spendingLimits";
const restrictions = "accountRestrictions";
const CHANGES: readonly Row[] = [
  ["nothing", {}, []],
  ["a permission more", { permissions: ["CREATE_TRANSFERS", "CREATE_QUOTES"] }, ["permissions"]],
  ["another permission instead", { permissions: ["VIEW_TRANSACTIONS"] }, ["permissions"]],
  ["no permission", { permissions: [] }, []],
  ["a mode without approval", { defaultExecutionMode: "AUTO" }, ["defaultExecutionMode"]],
  ["a higher limit", { [limits]: { perTransactionLimit: 101 } }, [`${limits}.perTransactionLimit`]],
  ["lower limits", { [limits]: { perTransactionLimit: 1, dailyLimit: 0, monthlyLimit: 0 } }, []],
  ["a higher limit of a day", { [limits]: { dailyLimit: 201 } }, [`${limits}.dailyLimit`]],
  ["no limit of a day", { [limits]: { dailyLimit: null } }, [`${limits}.dailyLimit`]],
  ["no limit of a month", { [limits]: { monthlyLimit: null } }, [`${limits}.monthlyLimit`]],
  [
    "one payment a day more",
    { [limits]: { dailyTransactionLimit: 4 } },
    [`${limits}.dailyTransactionLimit`],
  ],
  [
    "any number of payments",
    { [limits]: { dailyTransactionLimit: null } },
    [`${limits}.dailyTransactionLimit`],
  ],
  ["another currency", { [limits]: { currency: "JPY" } }, [`${limits}.currency`]],
  [
    "another currency with limits that are lower numbers",
    { [limits]: { currency: "BTC", perTransactionLimit: 1 } },
    [`${limits}.currency`],
  ],
  [
    "all accounts",
    { [restrictions]: { allowedAccountIds: null } },
    [`${restrictions}.allowedAccountIds`],
  ],
  [
    "an account more",
    { [restrictions]: { allowedAccountIds: ["InternalAccount:1", "InternalAccount:2"] } },
    [`${restrictions}.allowedAccountIds`],
  ],
  ["no account", { [restrictions]: { allowedAccountIds: [] } }, []],
  ["no rule for the account", rules(), [`${restrictions}.accountRules`]],
  [
    "a rule without approval",
    rules({ accountId: "InternalAccount:1", executionMode: "AUTO", perTransactionLimit: 50 }),
    [`${restrictions}.accountRules`],
  ],
  [
    "a rule of another account with a higher limit than the common one",
    rules(
      {
        accountId: "InternalAccount:1",
        executionMode: "APPROVAL_REQUIRED",
        perTransactionLimit: 50,
      },
      { accountId: "InternalAccount:2", perTransactionLimit: 101 },
    ),
    [`${restrictions}.accountRules`],
  ],
  ["a stricter rule", rules({ accountId: "InternalAccount:1", perTransactionLimit: 49 }), []],
  ["any payee", { [restrictions]: { payees: { mode: "ANY" } } }, [`${restrictions}.payees`]],
  ["no payee", payees({}), []],
  [
    "a payee more",
    payees({ externalAccountIds: ["ExternalAccount:2"] }),
    [`${restrictions}.payees`],
  ],
  ["an address more", payees({ umaAddresses: ["$a@b.c", "$b@b.c"] }), [`${restrictions}.payees`]],
  [
    "an account to pull from",
    { [restrictions]: { fundingAccountIds: ["ExternalAccount:1"] } },
    [`${restrictions}.fundingAccountIds`],
  ],
  ["a higher threshold", { approvalThresholds: { amount: 11 } }, ["approvalThresholds"]],
  ["no threshold", { approvalThresholds: { amount: null } }, ["approvalThresholds"]],
  [
    "a threshold in another currency",
    { approvalThresholds: { currency: "EUR" } },
    ["approvalThresholds"],
  ],
  ["a lower threshold", { approvalThresholds: { amount: 0 } }, []],
];

describe("a change of a policy", () => {
  it.each(CHANGES)("to %s", (_what, changes, widened) => {
    expect(widenedBy(policy, mergePolicy(policy, changes as PolicyChanges))).toEqual(widened);
  });

  it("adds nothing to a policy without limits, lists and thresholds", () => {
    const open: AgentPolicy = {
      permissions: [...agentPermissions],
      defaultExecutionMode: "AUTO",
      spendingLimits: { currency: "USD", perTransactionLimit: 1_000 },
    };
    expect(
      widenedBy(open, { ...policy, approvalThresholds: { currency: "EUR", amount: 9 } }),
    ).toEqual([]);
  });
});

const rateOf: RateOf = (from, to) =>
  from === "EUR" && to === "USD"
    ? ratio(2n, 1n)
    : from === "USD" && to === "EUR"
      ? ratio(1n, 2n)
      : undefined;

const figure = fc.integer({ min: 0, max: 6 });
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
  fc.option(value, { nil: undefined, freq: 2 }) as fc.Arbitrary<Value>;
const limit = fc.option(figure, { nil: null });
const internals = fc.subarray(["InternalAccount:1", "InternalAccount:2"]);
const externals = fc.subarray(["ExternalAccount:1", "ExternalAccount:2"]);

const anyPolicy = fc.record({
  permissions: fc.subarray(["CREATE_TRANSFERS", "CREATE_QUOTES"]),
  defaultExecutionMode: fc.constantFrom("AUTO", "APPROVAL_REQUIRED"),
  spendingLimits: fc.record({
    currency: fc.constantFrom("USD", "USD", "EUR"),
    perTransactionLimit: figure,
    dailyLimit: maybe(limit),
    dailyTransactionLimit: maybe(fc.option(fc.integer({ min: 0, max: 2 }), { nil: null })),
    monthlyLimit: maybe(limit),
  }),
  accountRestrictions: maybe(
    fc.record({
      allowedAccountIds: maybe(fc.option(internals, { nil: null })),
      accountRules: maybe(
        fc.uniqueArray(
          fc.record({
            accountId: fc.constantFrom("InternalAccount:1", "InternalAccount:2"),
            executionMode: maybe(fc.constantFrom("AUTO", "APPROVAL_REQUIRED")),
            perTransactionLimit: maybe(limit),
          }),
          { maxLength: 2, selector: ({ accountId }) => accountId },
        ),
      ),
      payees: maybe(
        fc.record({
          mode: fc.constantFrom("ANY", "LISTED"),
          externalAccountIds: maybe(externals),
          umaAddresses: maybe(fc.subarray(["$a@b.c"])),
        }),
      ),
      fundingAccountIds: maybe(fc.option(externals, { nil: null })),
    }),
  ),
  approvalThresholds: maybe(
    fc.record({ currency: fc.constantFrom("USD", "EUR"), amount: maybe(limit) }),
  ),
}) as fc.Arbitrary<AgentPolicy>;

const anyAction = fc.record({
  permission: fc.constantFrom("CREATE_TRANSFERS", "CREATE_QUOTES"),
  accountIds: internals,
  fundingAccountId: fc.constantFrom(null, "ExternalAccount:1"),
  payee: fc.constantFrom(
    null,
    { kind: "external", accountId: "ExternalAccount:2" },
    { kind: "uma", umaAddress: "$a@b.c" },
  ),
  currency: fc.constantFrom("USD", "EUR"),
  minor: fc.bigInt({ min: 0n, max: 7n }),
}) as fc.Arbitrary<ActionFacts>;

const freedomOf = (of: AgentPolicy, action: ActionFacts): number => {
  const standing = { policy: of, isPaused: false, ...noUsage(0), ...NOTHING_RESERVED };
  const { kind } = judgeAction(standing, action, { rateOf, at: 0 });
  return kind === "allowed" ? 2 : kind === "needs-approval" ? 1 : 0;
};

describe("a policy that is not widened", () => {
  it("lets no order through that was refused, and none go at once that waited", () => {
    let compared = 0;
    fc.assert(
      fc.property(
        anyPolicy,
        anyPolicy,
        fc.array(anyAction, { minLength: 20 }),
        (one, other, actions) => {
          // A change of some members of a policy is more often none that widens it.
          const after = mergePolicy(one, {
            spendingLimits: other.spendingLimits,
            accountRestrictions: other.accountRestrictions,
          });
          for (const next of [other, after]) {
            if (widenedBy(one, next).length > 0) continue;
            compared += 1;
            for (const action of actions)
              expect(freedomOf(next, action)).toBeLessThanOrEqual(freedomOf(one, action));
          }
        },
      ),
      { numRuns: 4_000, seed: 7 },
    );
    expect(compared).toBeGreaterThan(200);
  });
});
