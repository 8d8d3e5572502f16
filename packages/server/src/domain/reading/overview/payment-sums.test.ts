/** The sums that a commit adds, by how its payments ended. */
import { describe, expect, it } from "vitest";
import { quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import type { WrittenCommit } from "../../../engine/engine.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { addEnded, byDay, type RollupSum, type RollupSums } from "./payment-sums.ts";

const AT = Date.UTC(2026, 10, 25, 13, 59, 59, 999);
const HOUR = BigInt(Date.UTC(2026, 10, 25, 13));
const DAY = BigInt(Date.UTC(2026, 10, 25));

const paid: Transaction = {
  ...quoteTransaction,
  type: "OUTGOING",
  status: "COMPLETED",
  failure: null,
  refund: null,
  sentMinor: 1_000n,
  sentCurrency: "USD",
  receivedMinor: 900n,
  receivedCurrency: "EUR",
  details: { paymentRail: "SEPA" },
} as Transaction;

function commitOf(type: string, rows: readonly Transaction[]): WrittenCommit {
  const written = new Map(rows.map((row) => [row.id, { row, before: row }]));
  const event = { seq: 1n, id: paid.id, commandSeq: 1n, at: AT, body: "{}" };
  return {
    platformId: paid.id,
    rows: new Map([[transactions as unknown as Table<TableRow>, written]]),
    events: [{ ...event, type, subject: `Transaction:${paid.id}` }],
    after: 0n,
    upTo: 1n,
  };
}

function sumOf(type: string, changed: Partial<Transaction>): RollupSum | undefined {
  const sums: RollupSums = new Map();
  expect(addEnded(sums, commitOf(type, [{ ...paid, ...changed } as Transaction]))).toBe(true);
  return [...sums.values()][0];
}

describe("a payment that ended", () => {
  const pending = { status: "PENDING" } as unknown as Transaction["refund"];
  it.each<readonly [string, string, Partial<Transaction>, Partial<RollupSum>]>([
    [
      "of what was sent",
      "OUTGOING_PAYMENT.COMPLETED",
      {},
      { outcome: "COMPLETED", reason: "", currency: "USD", amountMinor: 1_000n, rail: "SEPA" },
    ],
    [
      "called off",
      "OUTGOING_PAYMENT.COMPLETED",
      { refund: pending },
      { outcome: "CANCELLED", reason: "" },
    ],
    [
      "refused by the rail",
      "OUTGOING_PAYMENT.FAILED",
      { status: "FAILED", failure: { code: "REJECTED", stage: "RAIL" } as never },
      { outcome: "FAILED", reason: "REJECTED" },
    ],
    [
      "returned",
      "OUTGOING_PAYMENT.FAILED",
      { status: "FAILED", failure: { code: "ACCOUNT_CLOSED", stage: "RETURN" } as never },
      { outcome: "RETURNED", reason: "ACCOUNT_CLOSED" },
    ],
    [
      "without a code",
      "OUTGOING_PAYMENT.FAILED",
      { status: "FAILED" },
      { outcome: "FAILED", reason: "UNKNOWN" },
    ],
    [
      "of what was received",
      "INCOMING_PAYMENT.COMPLETED",
      { type: "INCOMING" },
      { type: "INCOMING", currency: "EUR", amountMinor: 900n },
    ],
    [
      "of which only one side is known",
      "INCOMING_PAYMENT.COMPLETED",
      { type: "INCOMING", receivedMinor: null, receivedCurrency: null, details: null },
      { currency: "USD", amountMinor: 1_000n, rail: "" },
    ],
  ])("%s: adds to its sum at %s", (_what, type, changed, wanted) => {
    expect(sumOf(type, changed)).toMatchObject({ startsAtMs: HOUR, payments: 1n, ...wanted });
  });

  it("is not counted by its other events", () => {
    expect(sumOf("OUTGOING_PAYMENT.PENDING", {})).toBeUndefined();
    expect(sumOf("OUTGOING_PAYMENT.REFUND_COMPLETED", {})).toBeUndefined();
  });

  it("is to be read when the commit did not write its row", () => {
    expect(addEnded(new Map(), commitOf("OUTGOING_PAYMENT.COMPLETED", []))).toBe(false);
  });
});

it("adds up payments that ended alike, and hours of a day", () => {
  const sums: RollupSums = new Map();
  for (let count = 0; count < 3; count++)
    addEnded(sums, commitOf("OUTGOING_PAYMENT.COMPLETED", [paid]));
  const [sum] = sums.values();
  expect(sums.size).toBe(1);
  expect(sum).toMatchObject({ payments: 3n, amountMinor: 3_000n });
  const next = { ...(sum as RollupSum), startsAtMs: HOUR + 3_600_000n };
  const days = byDay(new Map([...sums, ["next", next]]));
  expect([...days.values()]).toEqual([
    { ...sum, startsAtMs: DAY, payments: 6n, amountMinor: 6_000n },
  ]);
});
