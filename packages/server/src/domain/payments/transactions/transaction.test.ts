import { describe, expect, it } from "vitest";
import {
  canLeave,
  moveTo,
  type Transaction,
  type TransactionStatus,
  transactionStatuses,
} from "./transaction.ts";

const ID = "019a4f00-0000-7000-8000-000000000004";

function transaction(type: Transaction["type"], status: TransactionStatus): Transaction {
  return {
    id: ID,
    type,
    status,
    customerId: null,
    platformCustomerId: "p",
    source: { type: "ACCOUNT", accountId: "a", currency: "USD" },
    destination: { type: "ACCOUNT", accountId: "b", currency: "USD" },
    sourceAccountId: null,
    destinationAccountId: null,
    sentMinor: 1n,
    sentCurrency: "USD",
    receivedMinor: 1n,
    receivedCurrency: "USD",
    quoteId: null,
    agentId: null,
    reference: null,
    description: null,
    failureReason: null,
    failure: null,
    refund: null,
    details: null,
    metadata: null,
    outcome: null,
    createdAt: 1,
    updatedAt: 1,
    settledAt: null,
  };
}

/** Every step there is. A completed bank payment can still be returned; an incoming one cannot. */
const STEPS: Readonly<Record<Transaction["type"], ReadonlySet<string>>> = {
  OUTGOING: new Set([
    "PENDING > PROCESSING",
    "PENDING > FAILED",
    "PENDING > EXPIRED",
    "PROCESSING > COMPLETED",
    "PROCESSING > FAILED",
    "COMPLETED > FAILED",
  ]),
  INCOMING: new Set([
    "CREATED > PENDING",
    "CREATED > FAILED",
    "PENDING > PROCESSING",
    "PENDING > COMPLETED",
    "PENDING > REJECTED",
    "PENDING > FAILED",
    "PROCESSING > COMPLETED",
    "PROCESSING > FAILED",
    "COMPLETED > REFUNDED",
    "COMPLETED > FAILED",
    "REFUNDED > COMPLETED",
  ]),
};

const pairs = (["OUTGOING", "INCOMING"] as const).flatMap((type) =>
  transactionStatuses.flatMap((from) => transactionStatuses.map((to) => ({ type, from, to }))),
);

describe("a transaction", () => {
  it.each(pairs)("$type goes from $from to $to only when that is a step", ({ type, from, to }) => {
    const before = transaction(type, from);
    const isStep = STEPS[type].has(`${from} > ${to}`);
    expect(canLeave(before, to)).toBe(isStep);
    if (!isStep) {
      expect(() => moveTo(before, to, { at: 2 })).toThrow(from);
      return;
    }
    const after = moveTo(before, to, { at: 2, settledAt: 2 });
    expect(after).toEqual({ ...before, status: to, updatedAt: 2, settledAt: 2 });
    expect(before.status).toBe(from);
  });

  it("keeps everything else as it was", () => {
    const before = transaction("OUTGOING", "PROCESSING");
    const after = moveTo(before, "FAILED", { at: 9, failureReason: "QUOTE_EXECUTION_FAILED" });
    expect(after).toEqual({
      ...before,
      status: "FAILED",
      updatedAt: 9,
      failureReason: "QUOTE_EXECUTION_FAILED",
    });
  });
});
