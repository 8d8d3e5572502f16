/**
 * A settled payout comes back. The returned amount is credited to the account that paid; if the account cannot take it, it waits in
 * suspense for a person, and the refund fails. If less came back than was sent, the bank kept a charge: own funds pay it, and the same
 * amount waits in suspense as a SHORT_RETURN, whose resolution decides who bears the charge.
 *
 *   payout.return   clearing −sent; account (or suspense) + what came; suspense + the rest
 *   own-funds.book  clearing + the rest; own-funds − the rest
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import type { Leg } from "../../../ledger/postings.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { hasRoomFor, internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers, holderExists } from "../../customers/customer.ts";
import { clearingOf } from "../../payments/carrier/clearing.ts";
import type { FailureFacts } from "../../payments/transactions/failure.ts";
import type { Transaction } from "../../payments/transactions/transaction.ts";
import { giveBack } from "../../payments/transfers/record-payout-outcome.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { type ItemReason, openItemOfOrder } from "../entries/rail-item.ts";
import type { RailPayment } from "../orders/rail-payment.ts";

/** The rows to load beside those of the payout itself. */
export function payoutReturnNeeds(
  world: Loaded,
  { connectionId, currency }: RailPayment,
  accountId: string,
): readonly AnyRef[] {
  const customerId = world.find(internalAccounts.ref(accountId))?.customerId ?? null;
  return [
    railConnections.ref(connectionId),
    systemAccount("suspense", currency, connectionId),
    systemAccount("own-funds", currency, connectionId),
    ...(customerId === null ? [] : [customers.ref(customerId)]),
  ];
}

/** Why the account does not take money back; undefined when it does. */
function obstacleTo(world: World, accountId: string, minor: bigint): ItemReason | undefined {
  const account = world.get(internalAccounts.ref(accountId));
  if (!holderExists(world, account.customerId)) return "CUSTOMER_DELETED";
  if (account.status === "CLOSED") return "ACCOUNT_CLOSED";
  return hasRoomFor(world.get(ledgerAccounts.ref(accountId)), minor) ? undefined : "ACCOUNT_FULL";
}

export function returnPayout(
  world: World,
  transaction: Transaction,
  { payment, facts }: { readonly payment: RailPayment; readonly facts: FailureFacts },
): Transaction {
  const { currency, connectionId, amountMinor } = payment;
  const returnedMinor = present(payment.returnedMinor, "what came back of a returned order");
  const shortMinor = amountMinor - returnedMinor;
  const accountId = present(transaction.sourceAccountId, "the source of a payout");
  const obstacle = obstacleTo(world, accountId, returnedMinor);
  const clearing = clearingOf(payment);
  const suspense = (minor: bigint): Leg => ({ system: "suspense", currency, connectionId, minor });
  world.post({
    reason: "payout.return",
    legs: [
      { ...clearing, minor: -amountMinor },
      obstacle === undefined
        ? { account: accountId, minor: returnedMinor }
        : suspense(returnedMinor),
      ...(shortMinor === 0n ? [] : [suspense(shortMinor)]),
    ],
  });
  if (shortMinor > 0n) {
    const ownFunds: Leg = { system: "own-funds", currency, connectionId, minor: -shortMinor };
    world.post({ reason: "own-funds.book", legs: [{ ...clearing, minor: shortMinor }, ownFunds] });
  }
  const refundReason = "TRANSACTION_FAILED";
  const isTaken = obstacle === undefined;
  const how = { refundReason, stage: "RETURN", isTaken, returnedMinor } as const;
  const failed = giveBack(world, transaction, { ...facts, ...how });
  if (obstacle !== undefined) {
    openItemOfOrder(world, { payment, reason: obstacle, amountMinor: returnedMinor });
  }
  if (shortMinor > 0n) {
    openItemOfOrder(world, { payment, reason: "SHORT_RETURN", amountMinor: shortMinor });
  }
  return failed;
}
