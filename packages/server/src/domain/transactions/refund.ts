/** What a payment that does not stand gives back: begun as a refund that is pending, and ended one way or the other. */
import type { World } from "../../engine/command.ts";
import { toIso } from "../../std/clock.ts";
import { notifyAgent } from "./agent-notice.ts";
import { causes, type FailureCause, failureOf } from "./failure.ts";
import {
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
  reason: Refund["reason"],
): Refunding {
  const refund: Refund = {
    reference: referenceFrom("RF", world.newId()),
    initiatedAt: toIso(world.at),
    status: "PENDING",
    reason,
  };
  const refunding = world.put(transactions, { ...transaction, refund, updatedAt: world.at });
  world.emit("OUTGOING_PAYMENT.REFUND_PENDING", transactionSubject(refunding));
  return { transaction: refunding, refund };
}

/** The money is back where it came from. The paying agent's usage is given back. */
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

/** The money stays where it was set aside. The failure of the refund takes the place of the payment's. */
export function failRefund(
  world: World,
  { transaction, refund }: Refunding,
  cause: FailureCause = causes.refundFailed,
): Transaction {
  const failed: Refund = { ...refund, status: "FAILED" };
  const told = world.put(transactions, {
    ...transaction,
    refund: failed,
    failure: failureOf("REFUND", cause, world.at),
    updatedAt: world.at,
  });
  world.emit("OUTGOING_PAYMENT.REFUND_FAILED", transactionSubject(told));
  return told;
}
