/**
 * What a payment that does not stand gives back. It begins in the commit that says so, as a refund that is pending and a
 * job; how the refund ended is recorded by another command. One for which there is no room fails in the same commit.
 */
import type { World } from "../../engine/command.ts";
import { toIso } from "../../std/clock.ts";
import {
  type Refund,
  referenceFrom,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import { scheduleRefund } from "./execution.ts";
import type { Quote } from "./quote.ts";

export interface RefundOrder {
  readonly quote: Quote;
  readonly reason: Refund["reason"];
  /** What came in, when that was not what was asked for. */
  readonly minor?: bigint;
}

export function beginRefund(world: World, order: RefundOrder): void {
  const { quote, minor } = order;
  openRefund(world, order);
  scheduleRefund(world, quote, minor ?? quote.sendingMinor);
}

/** A refund that nothing can come of, told as any other: it is begun and has failed in one commit. */
export function failRefund(world: World, order: RefundOrder): void {
  const { transaction, refund } = openRefund(world, order);
  tellRefund(world, transaction, { ...refund, status: "FAILED" });
}

function openRefund(world: World, { quote, reason }: RefundOrder) {
  const transaction = world.get(transactions.ref(quote.transactionId));
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

/** How a refund ended. */
export function tellRefund(world: World, transaction: Transaction, refund: Refund): Transaction {
  const told = world.put(transactions, { ...transaction, refund, updatedAt: world.at });
  const subject = transactionSubject(told);
  if (refund.status === "FAILED") world.emit("OUTGOING_PAYMENT.REFUND_FAILED", subject);
  else world.emit("OUTGOING_PAYMENT.REFUND_COMPLETED", subject);
  return told;
}
