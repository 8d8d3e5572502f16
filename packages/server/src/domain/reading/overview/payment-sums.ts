/** Sums of payments that have ended, from the rows of a commit; equal to those that `payment-rollups.sql.ts` makes from the tables. */
import type { WrittenCommit } from "../../../engine/engine.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { writtenRow } from "../written-row.ts";

export const HOUR_MS = 3_600_000n;
const DAY_MS = 24n * HOUR_MS;

/** A sum of payments that ended in the same hour and in the same way. */
export interface RollupSum {
  readonly startsAtMs: bigint;
  readonly type: string;
  readonly currency: string;
  readonly rail: string;
  readonly outcome: string;
  readonly reason: string;
  readonly payments: bigint;
  /** May exceed 64 bits. */
  readonly amountMinor: bigint;
}

/** Keyed by all members but the count and the amount. */
export type RollupSums = Map<string, RollupSum>;

export function addSum(sums: RollupSums, sum: RollupSum): void {
  const { startsAtMs, type, currency, rail, outcome, reason } = sum;
  const key = JSON.stringify([Number(startsAtMs), type, currency, rail, outcome, reason]);
  const before = sums.get(key);
  if (before === undefined) {
    sums.set(key, sum);
    return;
  }
  const payments = before.payments + sum.payments;
  const amountMinor = before.amountMinor + sum.amountMinor;
  sums.set(key, { ...sum, payments, amountMinor });
}

/** Adds up hourly sums by day. */
export function byDay(hours: RollupSums): RollupSums {
  const days: RollupSums = new Map();
  for (const sum of hours.values())
    addSum(days, { ...sum, startsAtMs: (sum.startsAtMs / DAY_MS) * DAY_MS });
  return days;
}

const ENDS: ReadonlyMap<string, "COMPLETED" | "FAILED"> = new Map([
  ["OUTGOING_PAYMENT.COMPLETED", "COMPLETED"],
  ["INCOMING_PAYMENT.COMPLETED", "COMPLETED"],
  ["OUTGOING_PAYMENT.FAILED", "FAILED"],
  ["INCOMING_PAYMENT.FAILED", "FAILED"],
]);

/** Adds the payments that a commit has ended; false when the commit does not hold the row of one. */
export function addEnded(sums: RollupSums, { rows, events }: WrittenCommit): boolean {
  for (const { type, subject, at } of events) {
    const end = ENDS.get(type);
    if (end === undefined) continue;
    const payment = writtenRow(rows, transactions, subject)?.row;
    if (payment === undefined) return false;
    addSum(sums, ended(payment, end, BigInt(at)));
  }
  return true;
}

function ended(payment: Transaction, end: "COMPLETED" | "FAILED", at: bigint): RollupSum {
  const { type, failure, details } = payment;
  const sent = { currency: payment.sentCurrency, minor: payment.sentMinor };
  const received = { currency: payment.receivedCurrency, minor: payment.receivedMinor };
  const [own, other] = type === "OUTGOING" ? [sent, received] : [received, sent];
  const rail = details?.paymentRail;
  return {
    startsAtMs: (at / HOUR_MS) * HOUR_MS,
    type,
    currency: own.currency ?? other.currency ?? "",
    rail: typeof rail === "string" ? rail : "",
    outcome: outcomeOf(payment, end),
    reason: end === "COMPLETED" ? "" : (failure?.code ?? "UNKNOWN"),
    payments: 1n,
    amountMinor: own.minor ?? other.minor ?? 0n,
  };
}

/** A cancelled payment completes with a refund; a returned one fails after it was completed. */
function outcomeOf({ status, refund, failure }: Transaction, end: "COMPLETED" | "FAILED"): string {
  if (end === "COMPLETED")
    return status === "COMPLETED" && refund !== null ? "CANCELLED" : "COMPLETED";
  return failure?.stage === "RETURN" ? "RETURNED" : "FAILED";
}
