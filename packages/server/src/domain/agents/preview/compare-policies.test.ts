import { describe, expect, it } from "vitest";
import { agent as row } from "../../../../test/kit/agent-rows.ts";
import { customer, external, internal } from "../../../../test/kit/payment-rows.ts";
import type { AgentAction } from "../actions/agent-action.ts";
import { ratesOf } from "../actions/rate-of.ts";
import type { AgentPolicy, SpendingLimits } from "../agent-policy.ts";
import { comparePolicies } from "./compare-policies.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const AT = Date.UTC(2026, 10, 10, 12);

const plain: AgentPolicy = {
  permissions: ["CREATE_TRANSFERS"],
  defaultExecutionMode: "AUTO",
  spendingLimits: { currency: "USD", perTransactionLimit: 1_000 },
};

const limited = (limits: Partial<SpendingLimits>): AgentPolicy => ({
  ...plain,
  spendingLimits: { ...plain.spendingLimits, ...limits },
});

const waits: AgentPolicy = { ...plain, defaultExecutionMode: "APPROVAL_REQUIRED" };

/** Carried out at once, unless it says otherwise. */
function order(minor: number, more: Partial<AgentAction> = {}): AgentAction {
  const createdAt = more.createdAt ?? AT;
  return {
    id: `order of ${minor}`,
    agentId: row.id,
    customerId: customer.id,
    platformCustomerId: customer.platformCustomerId,
    type: "TRANSFER_OUT",
    status: "APPROVED",
    sourceAccountId: internal.id,
    destinationAccountId: external.id,
    paymentRail: null,
    quoteId: null,
    isSignedByOwner: false,
    approvalReason: null,
    transactionId: null,
    amountMinor: BigInt(minor),
    currency: "USD",
    countedMinor: BigInt(minor),
    countedCurrency: "USD",
    executedAt: createdAt,
    usageReturnedAt: null,
    rejectionReason: null,
    failureReason: null,
    metadata: null,
    createdAt,
    updatedAt: createdAt,
    ...more,
  };
}

/** The amount of each order that is judged differently, how, and why it is judged so now. */
function differences(
  actions: readonly AgentAction[],
  { before = plain, after = plain, since = AT - DAY_MS },
) {
  const orders = actions.map((action) => ({ action, quote: null }));
  const rateOf = ratesOf("SANDBOX");
  return comparePolicies(orders, { before, after }, { rateOf, since }).map((one) => [
    Number(one.order.action.amountMinor),
    one.change,
    one.after.reason,
  ]);
}

describe("two policies over past orders", () => {
  it("that are the same judge nothing differently", () => {
    expect(differences([order(1), order(2_000)], {})).toEqual([]);
  });

  it("differ in each of the four ways", () => {
    const two = [order(50), order(500)];
    const low = limited({ perTransactionLimit: 100 });
    const above: AgentPolicy = { ...plain, approvalThresholds: { currency: "USD", amount: 100 } };
    const say = (before: AgentPolicy, after: AgentPolicy) => differences(two, { before, after });
    expect(say(plain, low)).toEqual([[500, "NOW_REFUSED", "PER_TRANSACTION_LIMIT"]]);
    expect(say(low, plain)).toEqual([[500, "NOW_ALLOWED", null]]);
    expect(say(plain, above)).toEqual([[500, "NOW_WAITS", "THRESHOLD"]]);
    expect(say(low, above)).toEqual([[500, "NOW_WAITS", "THRESHOLD"]]);
    expect(say(above, plain)).toEqual([[500, "NO_LONGER_WAITS", null]]);
    expect(say(waits, low)).toEqual([
      [50, "NO_LONGER_WAITS", null],
      [500, "NOW_REFUSED", "PER_TRANSACTION_LIMIT"],
    ]);
  });

  it("count nothing for an order that they refuse", () => {
    const three = [order(80), order(81), order(20)];
    expect(differences(three, { after: limited({ dailyLimit: 100 }) })).toEqual([
      [81, "NOW_REFUSED", "DAILY_LIMIT"],
    ]);
  });

  it("count by days and months, and the days before the time that is compared", () => {
    const yesterday = order(80, { createdAt: AT - DAY_MS - 1 });
    const orders = [yesterday, order(60), order(30)];
    expect(differences(orders, { after: limited({ dailyLimit: 90 }) })).toEqual([]);
    expect(differences(orders, { after: limited({ monthlyLimit: 150 }) })).toEqual([
      [30, "NOW_REFUSED", "MONTHLY_LIMIT"],
    ]);
    expect(differences(orders, { after: limited({ monthlyLimit: 10 }) })).toHaveLength(2);
  });

  it("give back what was returned, from that time on", () => {
    const returned = order(80, { status: "FAILED", usageReturnedAt: AT + 10, updatedAt: AT + 10 });
    const early = order(30, { createdAt: AT + 5 });
    const late = order(90, { createdAt: AT + 10 });
    expect(differences([returned, early, late], { after: limited({ dailyLimit: 100 }) })).toEqual([
      [30, "NOW_REFUSED", "DAILY_LIMIT"],
    ]);
  });

  it("count nothing for an order that failed when it was submitted", () => {
    const failed = order(80, { status: "FAILED", executedAt: null });
    expect(differences([failed, order(90)], { after: limited({ dailyLimit: 100 }) })).toEqual([]);
  });

  it("reserve the amount of an order that waits, until it was decided", () => {
    const rejected = order(80, { status: "REJECTED", executedAt: null, updatedAt: AT + 10 });
    const early = order(30, { createdAt: AT + 5 });
    const late = order(90, { createdAt: AT + 10 });
    const held = { ...waits, spendingLimits: limited({ dailyLimit: 100 }).spendingLimits };
    const changes = differences([rejected, early, late], { before: waits, after: held });
    expect(changes).toEqual([[30, "NOW_REFUSED", "DAILY_LIMIT"]]);
    const pending = order(80, { status: "PENDING_APPROVAL", executedAt: null });
    expect(differences([pending, late], { before: waits, after: held })).toEqual([
      [90, "NOW_REFUSED", "DAILY_LIMIT"],
    ]);
  });

  it("count an order that was approved from its approval on", () => {
    const approved = order(80, { executedAt: AT + DAY_MS, updatedAt: AT + DAY_MS });
    const nextDay = order(30, { createdAt: AT + DAY_MS + 1 });
    const held = { ...waits, spendingLimits: limited({ dailyLimit: 100 }).spendingLimits };
    expect(differences([approved, nextDay], { before: waits, after: held })).toEqual([
      [30, "NOW_REFUSED", "DAILY_LIMIT"],
    ]);
    expect(differences([approved, nextDay], { after: limited({ dailyLimit: 100 }) })).toEqual([]);
  });

  it("refuse what cannot be converted", () => {
    const after = limited({ currency: "ISK", perTransactionLimit: 1_000_000 });
    expect(differences([order(1)], { after })).toEqual([[1, "NOW_REFUSED", "NO_RATE"]]);
  });
});
