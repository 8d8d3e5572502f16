/**
 * What a report about an order that gives money back means. Settled: the money has left, from suspense or from what a quote
 * had. Declined or cancelled: it stays where it was set aside, and what was in suspense is an item again. Each ends the refund
 * that waits for it.
 */

import type { World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { clearingOf } from "../../payments/carrier/clearing.ts";
import { railConnections, touchConnection } from "../connections/rail-connection.ts";
import { railEntries } from "../entries/rail-entry.ts";
import { openItem, railItems } from "../entries/rail-item.ts";
import { concludeNeeds, concludeRefund, refundedBy } from "../quotes/conclude-refund.ts";
import type { RailPayment, RailPaymentState } from "./rail-payment.ts";

export function backNeeds(payment: RailPayment): readonly AnyRef[] {
  const { currency, connectionId, itemId, originalEntryId, transactionId } = payment;
  return [
    railConnections.ref(connectionId),
    systemAccount("clearing", currency, connectionId),
    systemAccount("suspense", currency, connectionId),
    systemAccount("paid-in", currency),
    ...(itemId === null ? [] : [railItems.ref(itemId)]),
    ...(originalEntryId === null ? [] : [railEntries.ref(originalEntryId)]),
    ...concludeNeeds(transactionId),
  ];
}

/** `from` is the state before the report, `payment` the order after it. */
export function applyToBack(world: World, payment: RailPayment, from: RailPaymentState): void {
  switch (payment.state) {
    case "RETURNED":
    case "SETTLED":
      // A return after the settlement books nothing here: an entry brings that money back.
      if (from !== "SETTLED") settle(world, payment);
      break;
    case "DECLINED":
    case "CANCELLED":
      openAgain(world, payment);
      break;
    default:
      return;
  }
  const transaction = refundedBy(world, payment.transactionId);
  if (transaction !== undefined) concludeRefund(world, transaction);
}

function settle(world: World, payment: RailPayment): void {
  const { currency, connectionId, amountMinor: minor, itemId } = payment;
  const from =
    itemId === null
      ? ({ system: "paid-in", currency } as const)
      : ({ system: "suspense", currency, connectionId } as const);
  world.post({
    reason: itemId === null ? "quote.refund" : "suspense.return",
    legs: [
      { ...from, minor: -minor },
      { ...clearingOf(payment), minor },
    ],
  });
}

function openAgain(world: World, payment: RailPayment): void {
  const { id, itemId, originalEntryId, amountMinor, transactionId } = payment;
  if (itemId === null || originalEntryId === null) return;
  const entry = world.get(railEntries.ref(originalEntryId));
  openItem(world, entry, { reason: "RETURN_DECLINED", amountMinor, transactionId, paymentId: id });
  // Makes the count of open items that an archiving relies on stale.
  touchConnection(world, payment.connectionId);
}
