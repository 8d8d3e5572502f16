/**
 * Refunds of payments that came in, counted in the row of the original payment:
 *
 *   refundedMinor       was given back
 *   refundPendingMinor  is on its way back
 *
 * Both together never exceed what was received, so refunds that are asked for at the same time cannot give back too much. A
 * refund that fails is subtracted again. The original goes from COMPLETED to REFUNDED when all of it was given back.
 */
import type { World } from "../../../engine/command.ts";
import { assert, present } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import { moveTo, type Transaction, transactionSubject, transactions } from "./transaction.ts";

export const incomingRefundReasons = [
  "REQUESTED_BY_PAYER",
  "DUPLICATE",
  "WRONG_AMOUNT",
  "FRAUD",
  "OTHER",
] as const;

export type IncomingRefundReason = (typeof incomingRefundReasons)[number];

/** Members of a refund's own transaction. */
export interface RefundMembers extends JsonObject {
  /** The id of the payment that is given back, as the API writes it. */
  readonly refundOf: string;
  readonly refundReason: IncomingRefundReason;
}

interface Counts {
  readonly refundedMinor: bigint;
  readonly refundPendingMinor: bigint;
}

export function refundCounts({ outcome }: Pick<Transaction, "outcome">): Counts {
  return {
    refundedMinor: BigInt(outcome?.refundedMinor ?? 0),
    refundPendingMinor: BigInt(outcome?.refundPendingMinor ?? 0),
  };
}

export function refundableMinor(original: Transaction): bigint {
  const { refundedMinor, refundPendingMinor } = refundCounts(original);
  const received = present(original.receivedMinor, "what a completed payment received");
  return received - refundedMinor - refundPendingMinor;
}

/** Counts a refund as pending, because a rail has to carry it. */
export function beginRefund(world: World, original: Transaction, minor: bigint): void {
  const counted = count(world, original, { refundedMinor: 0n, refundPendingMinor: minor });
  world.emit("INCOMING_PAYMENT.REFUND_PENDING", transactionSubject(counted));
}

/** Counts a refund that was begun and has reached the payer. */
export function completeIncomingRefund(world: World, original: Transaction, minor: bigint): void {
  const counted = count(world, original, { refundedMinor: minor, refundPendingMinor: -minor });
  world.emit("INCOMING_PAYMENT.REFUND_COMPLETED", transactionSubject(counted));
}

/** Counts a refund that no rail carries: it is begun and complete in one commit. */
export function refundAtOnce(world: World, original: Transaction, minor: bigint): void {
  const counted = count(world, original, { refundedMinor: minor, refundPendingMinor: 0n });
  world.emit("INCOMING_PAYMENT.REFUND_COMPLETED", transactionSubject(counted));
}

/** Subtracts a refund that was begun and has failed: it can be asked for again. */
export function failIncomingRefund(world: World, original: Transaction, minor: bigint): void {
  const counted = count(world, original, { refundedMinor: 0n, refundPendingMinor: -minor });
  world.emit("INCOMING_PAYMENT.REFUND_FAILED", transactionSubject(counted));
}

/** Subtracts a refund that had reached the payer and came back: it can be asked for again. */
export function returnIncomingRefund(world: World, original: Transaction, minor: bigint): void {
  const counted = count(world, original, { refundedMinor: -minor, refundPendingMinor: 0n });
  world.emit("INCOMING_PAYMENT.REFUND_FAILED", transactionSubject(counted));
}

function count(world: World, original: Transaction, change: Counts): Transaction {
  const before = refundCounts(original);
  const refundedMinor = before.refundedMinor + change.refundedMinor;
  const refundPendingMinor = before.refundPendingMinor + change.refundPendingMinor;
  const outcome = {
    ...original.outcome,
    refundedMinor: refundedMinor.toString(),
    refundPendingMinor: refundPendingMinor.toString(),
  };
  const counted = { ...original, outcome, updatedAt: world.at };
  const left = refundableMinor(counted);
  assert(left >= 0n && refundPendingMinor >= 0n, "I-56: refunds do not exceed what was received");
  const isWhole = left === 0n && refundPendingMinor === 0n;
  const status = isWhole ? "REFUNDED" : "COMPLETED";
  const next = counted.status === status ? counted : moveTo(counted, status, { at: world.at });
  return world.put(transactions, next);
}

/** The uuid of the payment that this transaction gives back; undefined when it is no refund. */
export function refundedPaymentId({ details }: Transaction): string | undefined {
  const id = details?.refundOf;
  return typeof id === "string" ? id.slice("Transaction:".length) : undefined;
}
