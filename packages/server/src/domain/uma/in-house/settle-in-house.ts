/**
 * A UMA payment between two customers of one platform, in production. No message and no rail carries it: the payer's quote and the payee's
 * payment are two transactions of one set of books, and end together.
 *
 *   pay-in-house   a job of the quote's execution, or of the arrival of its money: the payee's payment is announced, and the platform asked
 *   approved       what the quote set aside is taken apart and credited to the payee; both COMPLETED, in the commit of the approval
 *   anything else  the payee's payment ends, the quote fails and its money goes back, in one commit
 *
 * If the process dies before a commit, the job or the question is there again, as for every incoming payment.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { CustomerInfo } from "../../customers/customer-info.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import {
  creditNeeds,
  failQuote,
  quoteOutcomeNeeds,
  settleOnce,
} from "../../payments/quotes/record-quote-outcome.ts";
import { causes } from "../../payments/transactions/failure.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { completePayment, failPayment, OFFRAMP_FAILED } from "../end-payment.ts";
import { depositAccountOf, scheduleForwarding } from "../incoming/forward-deposit.ts";
import { type PaymentApproval, paymentApprovals } from "../payment-approval.ts";

/** The rows that the end of an in-house payment can touch; none for any other payment. */
export function inHouseNeeds(world: Loaded, transactionId: string): readonly AnyRef[] {
  const outcome = world.find(paymentApprovals.ref(transactionId))?.outcome;
  if (outcome?.kind !== "in-house") return [];
  const accountId = world.find(transactions.ref(transactionId))?.destinationAccountId ?? null;
  return [
    ...quoteOutcomeNeeds(world, { ...outcome, mayReturn: false }),
    ...(accountId === null ? [] : creditNeeds(world, accountId)),
  ];
}

export interface InHouseCredit {
  readonly quoteId: string;
  readonly accountId: string;
  readonly receiverInformation: CustomerInfo;
}

/** Credits the payee with the money of the quote. When the account or the books cannot take it, both payments fail. */
export function settleInHouse(
  world: World,
  transaction: Transaction,
  { quoteId, accountId: creditTo, receiverInformation }: InHouseCredit,
): Transaction {
  const quote = world.get(quotes.ref(quoteId));
  const settled = world.attempt(() => settleOnce(world, quote, { creditTo, receiverInformation }));
  if (settled instanceof Refusal) failInHouse(world, quoteId);
  if (settled instanceof Refusal || settled.status !== "COMPLETED") {
    return failPayment(world, transaction, { ...OFFRAMP_FAILED, cause: causes.accountFull });
  }
  const paid = completePayment(world, transaction);
  if (depositAccountOf(paid) !== undefined) scheduleForwarding(world, paid);
  return paid;
}

/** Fails the quote of a payment that the platform did not take; a payment without one is left alone. */
export function refuseInHouse(
  world: World,
  { outcome }: Pick<PaymentApproval, "outcome">,
  missingPayerFields: readonly string[] = [],
): void {
  if (outcome.kind === "in-house") failInHouse(world, outcome.quoteId, missingPayerFields);
}

/** Fails the quote, and gives its money back. */
export function failInHouse(
  world: World,
  quoteId: string,
  missingPayerFields: readonly string[] = [],
): void {
  const quote = world.get(quotes.ref(quoteId));
  if (quote.status !== "PROCESSING") return;
  failQuote(world, {
    quote,
    failure: {
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: causes.receiverRefused,
      refundReason: "TRANSACTION_FAILED",
      missingPayerFields,
    },
  });
}
