import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratio } from "../../../money/ratio.ts";
import type { AgentPolicy, Payees } from "../agent-policy.ts";
import {
  type ActionFacts,
  judgeAction,
  policyRules,
  type RateOf,
  type Standing,
} from "./judge-action.ts";
import { ratesOf } from "./rate-of.ts";
import { NOTHING_RESERVED, spend, usageAt } from "./usage.ts";

const NOON = Date.UTC(2026, 0, 31, 12);
const ACCOUNT = "InternalAccount:1";
const OTHER = "InternalAccount:2";
const BANK = "ExternalAccount:3";
const OTHER_BANK = "ExternalAccount:4";
const ADDRESS = "$ana@p.test";

/** One euro is two dollars; three yen are a cent; nothing has a rate to anything else. */
const rateOf: RateOf = (from, to) => {
  const rates: Readonly<Record<string, ReturnType<typeof ratio>>> = {
    "EUR USD": ratio(2n, 1n),
    "USD EUR": ratio(1n, 2n),
    "JPY USD": ratio(1n, 3n),
  };
  return rates[`${from} ${to}`];
};

const plainPolicy: AgentPolicy = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 1_000 },
};

const plainAction: ActionFacts = {
  permission: "CREATE_TRANSFERS",
  accountIds: [ACCOUNT],
  fundingAccountId: null,
  payee: { kind: "external", accountId: BANK },
  currency: "USD",
  minor: 100n,
};

interface Case {
  readonly policy?: Partial<AgentPolicy>;
  readonly limits?: Partial<AgentPolicy["spendingLimits"]>;
  readonly standing?: Partial<Standing>;
  readonly action?: Partial<ActionFacts>;
  readonly at?: number;
}

function judge({ policy, limits, standing, action, at = NOON }: Case) {
  const spendingLimits = { ...plainPolicy.spendingLimits, ...limits };
  return judgeAction(
    {
      policy: { ...plainPolicy, spendingLimits, ...policy },
      isPaused: false,
      usageDay: "2026-01-31",
      usageDayCount: 0,
      usageDayMinor: 0n,
      usageMonthMinor: 0n,
      ...NOTHING_RESERVED,
      ...standing,
    },
    { ...plainAction, ...action },
    { rateOf, at },
  );
}

function outcome(one: Case): string {
  const verdict = judge(one);
  return verdict.kind === "refused" ? verdict.rule : verdict.kind;
}

const restricted = (accountRestrictions: AgentPolicy["accountRestrictions"]) => ({
  policy: accountRestrictions === undefined ? {} : { accountRestrictions },
});
const rule = (one: object) => restricted({ accountRules: [{ accountId: ACCOUNT, ...one }] });
const above = (amount: number | null, currency = "USD") => ({
  policy: { approvalThresholds: { currency, amount } },
});
const payees = (one: Payees) => restricted({ payees: one });
const toUma = { action: { payee: { kind: "uma", umaAddress: ADDRESS } } } as const;
const pull = { action: { fundingAccountId: BANK, payee: null } } as const;
const minor = (amount: bigint, currency = "USD") => ({ action: { minor: amount, currency } });

const table: readonly (readonly [why: string, one: Case, expected: string])[] = [
  ["a plain action", {}, "allowed"],
  ["no permission", { policy: { permissions: ["EXECUTE_QUOTES"] } }, "PERMISSION"],
  ["no permission at all", { policy: { permissions: [] } }, "PERMISSION"],
  ["a paused agent", { standing: { isPaused: true } }, "PAUSED"],

  ["all accounts", restricted({ allowedAccountIds: null }), "allowed"],
  ["the account among others", restricted({ allowedAccountIds: [OTHER, ACCOUNT] }), "allowed"],
  ["other accounts", restricted({ allowedAccountIds: [OTHER] }), "ACCOUNT_NOT_ALLOWED"],
  ["no accounts", restricted({ allowedAccountIds: [] }), "ACCOUNT_NOT_ALLOWED"],
  [
    "one of two accounts",
    { ...restricted({ allowedAccountIds: [ACCOUNT] }), action: { accountIds: [ACCOUNT, OTHER] } },
    "ACCOUNT_NOT_ALLOWED",
  ],
  [
    "no account of ours and none allowed",
    { ...restricted({ allowedAccountIds: [] }), action: { accountIds: [] } },
    "allowed",
  ],

  ["anyone", payees({ mode: "ANY" }), "allowed"],
  ["the payee among others", payees({ mode: "LISTED", externalAccountIds: [BANK] }), "allowed"],
  [
    "other payees",
    payees({ mode: "LISTED", externalAccountIds: [OTHER_BANK], umaAddresses: [ADDRESS] }),
    "PAYEE_NOT_ALLOWED",
  ],
  ["no payees", payees({ mode: "LISTED" }), "PAYEE_NOT_ALLOWED"],
  [
    "an address among others",
    { ...payees({ mode: "LISTED", umaAddresses: [ADDRESS] }), ...toUma },
    "allowed",
  ],
  [
    "an address that is not in the list",
    {
      ...payees({ mode: "LISTED", umaAddresses: ["$bo@p.test"], externalAccountIds: [BANK] }),
      ...toUma,
    },
    "PAYEE_NOT_ALLOWED",
  ],
  [
    "money that stays with the customer, and no payees",
    { ...payees({ mode: "LISTED" }), action: { payee: null } },
    "allowed",
  ],
  ["a pull from any account", { ...restricted({ fundingAccountIds: null }), ...pull }, "allowed"],
  [
    "a pull from an account among others",
    { ...restricted({ fundingAccountIds: [BANK] }), ...pull },
    "allowed",
  ],
  [
    "a pull from another account",
    { ...restricted({ fundingAccountIds: [OTHER_BANK] }), ...pull },
    "FUNDING_ACCOUNT_NOT_ALLOWED",
  ],
  [
    "a pull, and no accounts",
    { ...restricted({ fundingAccountIds: [] }), ...pull },
    "FUNDING_ACCOUNT_NOT_ALLOWED",
  ],
  ["a payment, and no accounts to pull from", restricted({ fundingAccountIds: [] }), "allowed"],
  ["a pull, and no payees", { ...payees({ mode: "LISTED" }), ...pull }, "allowed"],

  ["a transaction of the limit - 1", minor(999n), "allowed"],
  ["a transaction of the limit", minor(1_000n), "allowed"],
  ["a transaction of the limit + 1", minor(1_001n), "PER_TRANSACTION_LIMIT"],
  ["a limit of nothing", { limits: { perTransactionLimit: 0 } }, "PER_TRANSACTION_LIMIT"],
  ["a smaller limit of the account", rule({ perTransactionLimit: 99 }), "PER_TRANSACTION_LIMIT"],
  ["that limit", rule({ perTransactionLimit: 100 }), "allowed"],
  [
    "a larger limit of the account",
    { ...rule({ perTransactionLimit: 5_000 }), ...minor(5_000n) },
    "allowed",
  ],
  [
    "a limit of null",
    { ...rule({ perTransactionLimit: null }), ...minor(1_001n) },
    "PER_TRANSACTION_LIMIT",
  ],
  ["no limit of the account", { ...rule({}), ...minor(1_001n) }, "PER_TRANSACTION_LIMIT"],
  [
    "a rule for another account",
    restricted({ accountRules: [{ accountId: OTHER, perTransactionLimit: 1 }] }),
    "allowed",
  ],
  [
    "the strictest of two accounts",
    {
      ...restricted({ accountRules: [{ accountId: OTHER, perTransactionLimit: 1 }] }),
      action: { accountIds: [ACCOUNT, OTHER] },
    },
    "PER_TRANSACTION_LIMIT",
  ],

  ["euros up to the limit", minor(500n, "EUR"), "allowed"],
  ["euros above it", minor(501n, "EUR"), "PER_TRANSACTION_LIMIT"],
  ["yen up to the limit", minor(3_000n, "JPY"), "allowed"],
  ["a third of a cent above it", minor(3_001n, "JPY"), "PER_TRANSACTION_LIMIT"],
  ["a currency without a rate", minor(1n, "ISK"), "no-rate"],

  [
    "the last but one of a day",
    { limits: { dailyTransactionLimit: 3 }, standing: { usageDayCount: 1 } },
    "allowed",
  ],
  [
    "the last one of a day",
    { limits: { dailyTransactionLimit: 3 }, standing: { usageDayCount: 2 } },
    "allowed",
  ],
  [
    "one too many",
    { limits: { dailyTransactionLimit: 3 }, standing: { usageDayCount: 3 } },
    "DAILY_TRANSACTION_LIMIT",
  ],
  [
    "one too many with those that wait",
    { limits: { dailyTransactionLimit: 3 }, standing: { usageDayCount: 1, reservedCount: 2 } },
    "DAILY_TRANSACTION_LIMIT",
  ],
  [
    "no count",
    { limits: { dailyTransactionLimit: null }, standing: { usageDayCount: 1e6 } },
    "allowed",
  ],

  [
    "a day's limit - 1",
    { limits: { dailyLimit: 500 }, standing: { usageDayMinor: 399n } },
    "allowed",
  ],
  ["a day's limit", { limits: { dailyLimit: 500 }, standing: { usageDayMinor: 400n } }, "allowed"],
  [
    "a day's limit + 1",
    { limits: { dailyLimit: 500 }, standing: { usageDayMinor: 401n } },
    "DAILY_LIMIT",
  ],
  [
    "a day's limit + 1 with what is reserved",
    { limits: { dailyLimit: 500 }, standing: { usageDayMinor: 200n, reservedMinor: 201n } },
    "DAILY_LIMIT",
  ],
  [
    "a day without limit",
    { limits: { dailyLimit: null }, standing: { usageDayMinor: 10n ** 15n } },
    "allowed",
  ],

  [
    "a month's limit - 1",
    { limits: { monthlyLimit: 500 }, standing: { usageMonthMinor: 399n } },
    "allowed",
  ],
  [
    "a month's limit",
    { limits: { monthlyLimit: 500 }, standing: { usageMonthMinor: 400n } },
    "allowed",
  ],
  [
    "a month's limit + 1",
    { limits: { monthlyLimit: 500 }, standing: { usageMonthMinor: 401n } },
    "MONTHLY_LIMIT",
  ],
  [
    "a month's limit + 1 with what is reserved",
    { limits: { monthlyLimit: 500 }, standing: { usageMonthMinor: 200n, reservedMinor: 201n } },
    "MONTHLY_LIMIT",
  ],
  [
    "a month without limit",
    { limits: { monthlyLimit: null }, standing: { usageMonthMinor: 10n ** 15n } },
    "allowed",
  ],

  [
    "approval as a rule",
    { policy: { defaultExecutionMode: "APPROVAL_REQUIRED" } },
    "needs-approval",
  ],
  ["approval for the account", rule({ executionMode: "APPROVAL_REQUIRED" }), "needs-approval"],
  [
    "approval for all but the account",
    {
      policy: {
        defaultExecutionMode: "APPROVAL_REQUIRED",
        accountRestrictions: { accountRules: [{ accountId: ACCOUNT, executionMode: "AUTO" }] },
      },
    },
    "allowed",
  ],
  [
    "approval for one of two accounts",
    {
      ...restricted({ accountRules: [{ accountId: OTHER, executionMode: "APPROVAL_REQUIRED" }] }),
      action: { accountIds: [ACCOUNT, OTHER] },
    },
    "needs-approval",
  ],
  ["a threshold + 1", above(99), "needs-approval"],
  ["a threshold", above(100), "allowed"],
  ["a threshold - 1", above(101), "allowed"],
  ["a threshold of nothing", above(0), "needs-approval"],
  ["no threshold", above(null), "allowed"],
  ["a threshold in euros", above(50, "EUR"), "allowed"],
  ["a cent above a threshold in euros", { ...above(50, "EUR"), ...minor(101n) }, "needs-approval"],
  ["a threshold without a rate", above(50, "ISK"), "no-rate"],
];

const waits = { defaultExecutionMode: "APPROVAL_REQUIRED" } as const;
const reasons: readonly (readonly [string, Case, string])[] = [
  ["the mode", { policy: waits }, "EXECUTION_MODE"],
  ["an account's rule", rule({ executionMode: "APPROVAL_REQUIRED" }), "ACCOUNT_RULE"],
  ["the threshold", above(99), "THRESHOLD"],
  [
    "the mode before the threshold",
    { policy: { ...waits, ...above(99).policy } },
    "EXECUTION_MODE",
  ],
];

describe("a policy", () => {
  it.each(reasons)("lets an action wait for %s", (_why, one, reason) => {
    expect(judge(one)).toMatchObject({ kind: "needs-approval", reason });
  });

  it.each(table)("with %s", (_why, one, expected) => {
    expect(outcome(one)).toBe(expected);
  });

  it("names the first of the rules that are broken", () => {
    const everything: Case = {
      policy: {
        permissions: [],
        accountRestrictions: {
          allowedAccountIds: [],
          fundingAccountIds: [],
          payees: { mode: "LISTED" },
        },
      },
      action: { fundingAccountId: BANK },
      limits: { perTransactionLimit: 1, dailyTransactionLimit: 0, dailyLimit: 1, monthlyLimit: 1 },
      standing: { isPaused: true },
    };
    const repairs: readonly Case[] = [
      { policy: { ...everything.policy, permissions: ["CREATE_TRANSFERS"] } },
      { standing: { isPaused: false } },
      restricted({ fundingAccountIds: [], payees: { mode: "LISTED" } }),
      payees({ mode: "LISTED" }),
      { policy: { permissions: ["CREATE_TRANSFERS"] } },
      { limits: { ...everything.limits, perTransactionLimit: 1_000 } },
      { limits: { perTransactionLimit: 1_000, dailyLimit: 1, monthlyLimit: 1 } },
      { limits: { perTransactionLimit: 1_000, monthlyLimit: 1 } },
      { limits: {} },
    ];
    const found: string[] = [outcome(everything)];
    let now = everything;
    for (const repair of repairs) {
      now = { ...now, ...repair };
      found.push(outcome(now));
    }
    expect(found).toEqual([...policyRules, "allowed"]);
  });

  it("counts an amount in the currency of the limits, rounded up", () => {
    expect(judge(minor(7n, "EUR"))).toEqual({ kind: "allowed", countedMinor: 14n });
    expect(judge(minor(7n, "JPY"))).toEqual({ kind: "allowed", countedMinor: 3n });
    expect(judge(minor(6n, "JPY"))).toEqual({ kind: "allowed", countedMinor: 2n });
  });
});

describe("the end of a day", () => {
  const full: Case = {
    limits: { dailyLimit: 100, dailyTransactionLimit: 1, monthlyLimit: 1_000 },
    standing: { usageDayCount: 1, usageDayMinor: 100n, usageMonthMinor: 100n },
  };

  it.each([
    ["the last millisecond", Date.UTC(2026, 0, 31, 23, 59, 59, 999), "DAILY_TRANSACTION_LIMIT"],
    ["midnight in UTC", Date.UTC(2026, 1, 1), "allowed"],
  ])("comes with %s", (_when, at, expected) => {
    expect(outcome({ ...full, at })).toBe(expected);
  });

  it("leaves the month's spending, and the month's end does not", () => {
    const standing = { usageDay: "2026-01-30", usageMonthMinor: 950n, usageDayMinor: 950n };
    const limits = { monthlyLimit: 1_000 };
    expect(outcome({ limits, standing, at: NOON })).toBe("MONTHLY_LIMIT");
    expect(outcome({ limits, standing, at: Date.UTC(2026, 1, 1) - 1 })).toBe("MONTHLY_LIMIT");
    expect(outcome({ limits, standing, at: Date.UTC(2026, 1, 1) })).toBe("allowed");
    expect(outcome({ limits, standing, at: Date.UTC(2027, 0, 31) })).toBe("allowed");
  });

  it("does not release the reservation: it could still be approved", () => {
    const standing = { reservedCount: 1, reservedMinor: 50n };
    expect(outcome({ limits: { dailyLimit: 100 }, standing, at: Date.UTC(2026, 1, 1) })).toBe(
      "DAILY_LIMIT",
    );
  });
});

describe("any sequence of actions", () => {
  const step = fc.record({
    minor: fc.bigInt({ min: 1n, max: 400n }),
    waitMs: fc.integer({ min: 0, max: 20 * 3_600_000 }),
  });

  it("stays within the limits of each day and month", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const limits = { dailyLimit: 1_000, monthlyLimit: 3_000, dailyTransactionLimit: 5 };
        const days = new Map<string, { count: number; minor: bigint }>();
        const months = new Map<string, bigint>();
        let usage = usageAt(
          { usageDay: "2026-01-31", usageDayCount: 0, usageDayMinor: 0n, usageMonthMinor: 0n },
          NOON,
        );
        let at = NOON;
        for (const { minor: amount, waitMs } of steps) {
          at += waitMs;
          const verdict = judge({ limits, standing: usage, action: { minor: amount }, at });
          if (verdict.kind !== "allowed") continue;
          usage = spend(usage, verdict.countedMinor, at);
          const day = new Date(at).toISOString().slice(0, 10);
          const { count, minor: spent } = days.get(day) ?? { count: 0, minor: 0n };
          days.set(day, { count: count + 1, minor: spent + amount });
          months.set(day.slice(0, 7), (months.get(day.slice(0, 7)) ?? 0n) + amount);
        }
        for (const { count, minor: spent } of days.values()) {
          expect(count).toBeLessThanOrEqual(5);
          expect(spent <= 1_000n).toBe(true);
        }
        for (const spent of months.values()) expect(spent <= 3_000n).toBe(true);
      }),
    );
  });
});

describe("the rates that policies are judged by", () => {
  it("turn smallest units into smallest units", () => {
    const inSandbox = ratesOf("SANDBOX");
    expect(inSandbox("USD", "EUR")).toEqual(ratio(23n, 25n));
    expect(inSandbox("EUR", "USD")).toEqual(ratio(25n, 23n));
    // A cent is 10 000 of the millionths that a token counts in.
    expect(inSandbox("USD", "USDC")).toEqual(ratio(10_000n, 1n));
    expect(inSandbox("USD", "ISK")).toBeUndefined();
  });

  it("in production are those between dollars alone: no price there is made up", () => {
    const inProduction = ratesOf("PRODUCTION");
    expect(inProduction("USDB", "USD")).toEqual(ratio(1n, 10_000n));
    expect(inProduction("USD", "USDT")).toEqual(ratio(10_000n, 1n));
    for (const [from, to] of [
      ["USD", "EUR"],
      ["EUR", "USDC"],
      ["BTC", "EUR"],
    ] as const) {
      expect(inProduction(from, to)).toBeUndefined();
    }
  });
});
