/** Ends the refund of a quote whose money goes back outside, once no part of it is under way. */
import type { Loaded, World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { completeRefund, failRefund } from "../../payments/transactions/refund.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { isWaiting, itemsOfTransaction } from "../entries/rail-item.ts";
import { isOpen, paymentOfTransaction } from "../orders/rail-payment.ts";

export function concludeNeeds(transactionId: string | null): readonly AnyRef[] {
  if (transactionId === null) return [];
  return [
    transactions.ref(transactionId),
    itemsOfTransaction.of(transactionId),
    paymentOfTransaction.of(transactionId),
  ];
}

/** The transaction of an item or an order; undefined for one that has none. */
export function refundedBy(world: Loaded, transactionId: string | null): Transaction | undefined {
  return transactionId === null ? undefined : world.find(transactions.ref(transactionId));
}

/**
 * Completes the refund when all of the money went to the payer, or to an account that a person named. Fails it when an order to return the
 * money was declined or cancelled, or a person resolved the money otherwise. A refund that has ended stays as it is.
 */
export function concludeRefund(world: World, transaction: Transaction): void {
  const { id, refund } = transaction;
  if (refund?.status !== "PENDING") return;
  const items = world.all(itemsOfTransaction.of(id));
  const orders = world
    .all(paymentOfTransaction.of(id))
    .filter(({ direction }) => direction === "BACK");
  const hasFailed = orders.some(({ state }) => state === "DECLINED" || state === "CANCELLED");
  if (!hasFailed && (items.some(isWaiting) || orders.some(isOpen))) return;
  const parts = items.flatMap(({ resolution }) => resolution?.parts ?? []);
  const isBack = parts.every(({ kind }) => kind === "RETURN" || kind === "ACCOUNT");
  if (isBack && !hasFailed) completeRefund(world, { transaction, refund });
  else failRefund(world, { transaction, refund });
}
