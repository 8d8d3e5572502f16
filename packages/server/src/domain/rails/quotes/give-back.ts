/**
 * Returns the money of a production quote to its external origin. Money from entries is set aside in suspense, one item for each entry. If
 * the payer's account is known, the connection that brought the money is ordered to return it; other items wait for a person. Collected
 * money is ordered back to its external account; if the bank reversed the collection before, the payer has the money already, and ours
 * becomes an item. The refund ends with the last of them. After a returned payout the refund may be less than the whole; then the first
 * parts go back first.
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { clearingOf } from "../../payments/carrier/clearing.ts";
import type { Quote } from "../../payments/quotes/quote.ts";
import { completeRefund, failRefund } from "../../payments/transactions/refund.ts";
import { refundedMinorOf, transactions } from "../../payments/transactions/transaction.ts";
import { railConnections, touchConnection } from "../connections/rail-connection.ts";
import { railEntries } from "../entries/rail-entry.ts";
import { itemsOfTransaction, openItemOfOrder } from "../entries/rail-item.ts";
import { setAsideForPayer } from "../entries/return-item.ts";
import { addBackOrder } from "../orders/back-order.ts";
import { paymentOfTransaction } from "../orders/rail-payment.ts";
import { connectionEntryOf, railRoutings } from "../routes/routing.ts";
import { concludeRefund } from "./conclude-refund.ts";
import { fundingsOfQuote, type QuoteFunding, quoteFundings } from "./quote-funding.ts";

/** The rows that giving the money back can touch, besides the quote and its transaction. */
export function giveBackNeeds(world: Loaded, quote: Quote): readonly AnyRef[] {
  const { id, transactionId, sendingCurrency: currency } = quote;
  const pulled = world.all(paymentOfTransaction.of(transactionId)).map(clearingOf);
  return [
    railRoutings.ref(world.platformId),
    fundingsOfQuote.of(id),
    itemsOfTransaction.of(transactionId),
    paymentOfTransaction.of(transactionId),
    systemAccount("paid-in", currency),
    ...pulled.flatMap(({ connectionId = "" }) => [
      railConnections.ref(connectionId),
      systemAccount("clearing", currency, connectionId),
      systemAccount("suspense", currency, connectionId),
    ]),
    ...world
      .all(fundingsOfQuote.of(id))
      .flatMap(({ entryId, connectionId }) => [
        railEntries.ref(entryId),
        railConnections.ref(connectionId),
        systemAccount("suspense", currency, connectionId),
        systemAccount("clearing", currency, connectionId),
      ]),
  ];
}

/** The caller has opened the refund. */
export function giveBack(world: World, quote: Quote): void {
  const { transactionId, sendingCurrency: currency } = quote;
  if (quote.source.sourceType === "ACCOUNT") {
    orderCollectedBack(world, quote);
    return;
  }
  const { refund } = world.get(transactions.ref(transactionId));
  const fundings = world.all(fundingsOfQuote.of(quote.id));
  let leftMinor = refundedMinorOf(refund, sumOf(fundings));
  for (const funding of fundings) {
    const { entryId, connectionId } = funding;
    const amountMinor = funding.amountMinor < leftMinor ? funding.amountMinor : leftMinor;
    if (funding.itemId !== null || amountMinor === 0n) continue;
    leftMinor -= amountMinor;
    world.post({
      reason: "quote.refund",
      legs: [
        { system: "paid-in", currency, minor: -amountMinor },
        { system: "suspense", currency, connectionId, minor: amountMinor },
      ],
    });
    const entry = world.get(railEntries.ref(entryId));
    const item = setAsideForPayer(world, entry, {
      reason: "QUOTE_ENDED",
      amountMinor,
      transactionId,
    });
    world.put(quoteFundings, { ...funding, itemId: item.id });
    // Makes the count of open items that an archiving relies on stale.
    touchConnection(world, connectionId);
  }
  concludeRefund(world, world.get(transactions.ref(transactionId)));
}

function sumOf(fundings: readonly QuoteFunding[]): bigint {
  return fundings.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** A connection that was archived meanwhile takes no order: the refund fails, and the money stays in `paid-in`, for an operator. */
function orderCollectedBack(world: World, { transactionId }: Quote): void {
  const orders = world.all(paymentOfTransaction.of(transactionId));
  const pull = orders.find(({ direction }) => direction === "PULL");
  const collected = present(pull, "the order that collected the money");
  const { connectionId, currency, counterparty, paymentRail, settledEntryId } = collected;
  const transaction = world.get(transactions.ref(transactionId));
  const refund = present(transaction.refund, "a refund that was begun");
  const amountMinor = refundedMinorOf(refund, collected.amountMinor);
  if (connectionEntryOf(world, connectionId) === undefined) {
    failRefund(world, { transaction, refund });
    return;
  }
  if (collected.state === "RETURNED") {
    const suspense = { system: "suspense", currency, connectionId, minor: amountMinor } as const;
    const paidIn = { system: "paid-in", currency, minor: -amountMinor } as const;
    world.post({ reason: "quote.refund", legs: [paidIn, suspense] });
    openItemOfOrder(world, { payment: collected, reason: "COLLECTION_RETURNED", amountMinor });
    completeRefund(world, { transaction, refund });
    return;
  }
  addBackOrder(world, {
    connectionId,
    currency,
    amountMinor,
    counterparty,
    paymentRail,
    transactionId,
    itemId: null,
    originalEntryId: settledEntryId,
  });
}
