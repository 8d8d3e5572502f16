/** The execution of a quote as an order that may wait. A quote expires after five minutes, so the order stores its terms. */

import Type, { type Static } from "typebox";
import { boundOf, type PriceBound } from "../../../domain/payments/quotes/execute-held-quote.ts";
import {
  type ExecuteQuoteInput,
  executeQuote,
} from "../../../domain/payments/quotes/execute-quote.ts";
import { payloadToSignOf } from "../../../domain/payments/quotes/payment-instructions.ts";
import { findQuote, type Quote, toQuoteId } from "../../../domain/payments/quotes/quote.ts";
import { findTransaction } from "../../../domain/payments/transactions/transaction.sql.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import { amountText } from "../../../domain/people/approvals/payment-orders.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { textOrUndefined } from "../../../std/json.ts";
import type { Services } from "../../request/services.ts";
import type { QuoteRequest } from "./quote-body.ts";
import { QuoteBody } from "./quote-body.ts";

/** The terms of a quote, with how far its price may move. */
export const HeldQuoteContent = Type.Object({
  ...Type.Omit(QuoteBody, ["lookupId", "immediatelyExecute"]).properties,
  quoteId: Type.String(),
  sendingCurrency: Type.String(),
  receivingCurrency: Type.String(),
  /** The least amount to receive, for an order with a fixed amount to send. */
  minReceived: Type.Optional(Type.Integer()),
  /** The greatest amount to send, for an order with a fixed amount to receive. */
  maxSent: Type.Optional(Type.Integer()),
});
type HeldQuoteContent = Static<typeof HeldQuoteContent>;

/** The content for the execution of a quote. For an unknown quote it is the id alone, and the execution is refused. */
export async function heldQuoteContent(
  { reads }: Pick<Services, "reads">,
  platformId: string,
  quoteId: string,
): Promise<HeldQuoteContent | { readonly quoteId: string }> {
  const quote = await findQuote(reads, platformId, quoteId);
  if (quote === undefined) return { quoteId: toQuoteId(quoteId) };
  const transaction = await findTransaction(reads, platformId, quote.transactionId);
  const details = transaction?.details ?? {};
  const side = quote.lockedSide ?? "SENDING";
  const purposeOfPayment = textOrUndefined(details.purposeOfPayment);
  return {
    quoteId: toQuoteId(quoteId),
    source: quote.source as QuoteRequest["source"],
    destination: quote.destination as QuoteRequest["destination"],
    lockedCurrencySide: side,
    lockedCurrencyAmount: Number(side === "SENDING" ? quote.sendingMinor : quote.receivingMinor),
    sendingCurrency: quote.sendingCurrency,
    receivingCurrency: quote.receivingCurrency,
    ...shownBound(boundOf(quote)),
    ...(quote.description === null ? {} : { description: quote.description }),
    ...(quote.metadata === null ? {} : { metadata: quote.metadata }),
    ...(quote.payerInformation === null ? {} : { senderCustomerInfo: quote.payerInformation }),
    ...(purposeOfPayment === undefined
      ? {}
      : { purposeOfPayment: purposeOfPayment as QuoteRequest["purposeOfPayment"] }),
    ...(typeof details.remittanceInformation === "string"
      ? { remittanceInformation: details.remittanceInformation }
      : {}),
  };
}

function shownBound(bound: PriceBound) {
  return "minReceivedMinor" in bound
    ? { minReceived: Number(bound.minReceivedMinor) }
    : { maxSent: Number(bound.maxSentMinor) };
}

export function boundIn({ minReceived, maxSent }: HeldQuoteContent): PriceBound {
  return minReceived === undefined
    ? { maxSentMinor: BigInt(present(maxSent, "the bound of an order")) }
    : { minReceivedMinor: BigInt(minReceived) };
}

export const executeQuoteOrder: HoldableOrder<ExecuteQuoteInput, Quote> = {
  kind: "PAYMENT",
  act: "executeQuote",
  command: executeQuote,
  subjectOf: ({ quoteId }) => toQuoteId(quoteId),
  factsOf(quote) {
    if (payloadToSignOf(quote) !== undefined) {
      const reason = "the owner of the wallet has signed this quote alone";
      const message = `${reason}, so its execution cannot wait for another person; a token executes it.`;
      throw new Refusal("CONFLICT", { reason }, message);
    }
    const { sendingMinor: minor, sendingCurrency: currency, receivingCurrency } = quote;
    const amount = amountText(minor, currency);
    const summary = `Execution of a quote: ${amount} to ${receivingCurrency} (${toQuoteId(quote.id)})`;
    return { summary, amount: { currency, minor } };
  },
  resultOf: ({ id }) => toQuoteId(id),
};
