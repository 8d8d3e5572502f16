/**
 * A collected payment is taken back. Before it was settled nothing was credited, and its transaction fails. After that, its account gives
 * what it has, up to the amount; the holder owes the rest, which is a receivable. No account goes below zero. A quote that was paid with
 * the money is not undone, and the platform owes all of it.
 *
 *   pull.return  account − what it has; receivables − the rest; clearing + the amount
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import type { Leg } from "../../../ledger/postings.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import {
  defaultAccountsIn,
  defaultAccountsOfPlatform,
  emitBalance,
} from "../../accounts/internal/internal-account.ts";
import { openAccount } from "../../accounts/internal/open-account.ts";
import { clearingOf } from "../../payments/carrier/clearing.ts";
import { type FailureFacts, failedAt } from "../../payments/transactions/failure.ts";
import { refundCounts } from "../../payments/transactions/incoming-refund.ts";
import {
  moveTo,
  notifyAgent,
  type Transaction,
  transactionSubject,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { railConnections } from "../connections/rail-connection.ts";
import type { RailPayment } from "../orders/rail-payment.ts";
import { addReceivable } from "./rail-receivable.ts";

/** The rows to load beside those of the collection itself. */
export function collectionReturnNeeds({ currency, connectionId }: RailPayment): readonly AnyRef[] {
  return [
    railConnections.ref(connectionId),
    systemAccount("receivables", currency),
    systemAccount("paid-in", currency),
    systemAccount("suspense", currency, connectionId),
  ];
}

/** The rows to load beside those of the quote that the collection pays. */
export function quoteCollectionReturnNeeds(world: Loaded, payment: RailPayment): readonly AnyRef[] {
  return [
    ...collectionReturnNeeds(payment),
    platforms.ref(world.platformId),
    defaultAccountsOfPlatform,
  ];
}

/**
 * Whether a settled collection can be taken back here: always while it is held; after that, only if none of it was or is being refunded to
 * its payer.
 */
export function canBeTakenBack(
  world: Loaded,
  { transactionId, releaseJobId }: RailPayment,
): boolean {
  if (releaseJobId !== null) return true;
  const transaction =
    transactionId === null ? undefined : world.find(transactions.ref(transactionId));
  if (transaction === undefined) return false;
  const { status, quoteId, refund } = transaction;
  if (quoteId !== null) {
    return (status === "PROCESSING" || status === "COMPLETED") && refund === null;
  }
  if (status !== "COMPLETED") return false;
  const { refundedMinor, refundPendingMinor } = refundCounts(transaction);
  return refundedMinor === 0n && refundPendingMinor === 0n;
}

export function returnCollection(
  world: World,
  transaction: Transaction,
  { payment, facts }: { readonly payment: RailPayment; readonly facts: FailureFacts },
): Transaction {
  const { currency, amountMinor } = payment;
  const accountId = present(transaction.destinationAccountId, "the destination of a pull");
  const { balanceMinor } = world.get(ledgerAccounts.ref(accountId));
  const takenMinor = balanceMinor < amountMinor ? balanceMinor : amountMinor;
  const owedMinor = amountMinor - takenMinor;
  const legs: readonly Leg[] = [
    { account: accountId, minor: -takenMinor },
    { system: "receivables", currency, minor: -owedMinor },
    { ...clearingOf(payment), minor: amountMinor },
  ];
  world.post({ reason: "pull.return", legs: legs.filter(({ minor }) => minor !== 0n) });
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", { at: world.at, ...failedAt("RETURN", facts, world.at) }),
  );
  world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(failed));
  notifyAgent(world, failed);
  if (takenMinor > 0n) emitBalance(world, accountId);
  if (owedMinor > 0n) addReceivable(world, { payment, accountId, owedMinor });
  return failed;
}

/** The quote is not undone: the platform owes what was collected for it. */
export function returnQuoteCollection(world: World, payment: RailPayment): void {
  const { currency, amountMinor: minor } = payment;
  world.post({
    reason: "pull.return",
    legs: [
      { system: "receivables", currency, minor: -minor },
      { ...clearingOf(payment), minor },
    ],
  });
  addReceivable(world, { payment, accountId: platformAccount(world, currency), owedMinor: minor });
}

/** The platform's oldest active account in the currency, which is opened when there is none. */
function platformAccount(world: World, currency: string): string {
  const [account] = defaultAccountsIn(world.all(defaultAccountsOfPlatform), currency);
  return account?.id ?? openAccount(world, { customerId: null, currency }).id;
}
