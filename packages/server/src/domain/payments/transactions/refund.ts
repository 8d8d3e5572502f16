/** Refunds of failed payments: opened as pending, and then completed or failed. */
import type { World } from "../../../engine/command.ts";
import { toIso } from "../../../std/clock.ts";
import { causes, type FailureCause, failureOf } from "./failure.ts";
import {
  notifyAgent,
  type Refund,
  referenceFrom,
  type Transaction,
  transactionSubject,
  transactions,
} from "./transaction.ts";

export interface Refunding {
  readonly transaction: Transaction;
  readonly refund: Refund;
}

export function openRefund(
  world: World,
  transaction: Transaction,
  { reason, returned }: Pick<Refund, "reason" | "returned">,
): Refunding {
  const refund: Refund = {
    reference: referenceFrom("RF", world.newId()),
    initiatedAt: toIso(world.at),
    status: "PENDING",
    reason,
    ...(returned === undefined ? {} : { returned }),
  };
  const refunding = world.put(transactions, { ...transaction, refund, updatedAt: world.at });
  world.emit("OUTGOING_PAYMENT.REFUND_PENDING", transactionSubject(refunding));
  return { transaction: refunding, refund };
}

/** Completes a refund whose money is back. It no longer counts as usage of the paying agent. */
export function completeRefund(world: World, { transaction, refund }: Refunding): Transaction {
  const settled: Refund = { ...refund, status: "COMPLETED", settledAt: toIso(world.at) };
  const refunded = world.put(transactions, {
    ...transaction,
    refund: settled,
    updatedAt: world.at,
  });
  world.emit("OUTGOING_PAYMENT.REFUND_COMPLETED", transactionSubject(refunded));
  notifyAgent(world, refunded);
  return refunded;
}

/** Fails a refund. The money stays in its holding account, for an operator. The refund's failure replaces the payment's. */
export function failRefund(
  world: World,
  { transaction, refund }: Refunding,
  cause: FailureCause = causes.refundFailed,
): Transaction {
  const failed: Refund = { ...refund, status: "FAILED" };
  const failedTransaction = world.put(transactions, {
    ...transaction,
    refund: failed,
    failure: failureOf("REFUND", cause, world.at),
    updatedAt: world.at,
  });
  world.emit("OUTGOING_PAYMENT.REFUND_FAILED", transactionSubject(failedTransaction));
  return failedTransaction;
}
