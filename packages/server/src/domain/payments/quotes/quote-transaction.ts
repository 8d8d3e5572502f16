/** The transaction of a quote, which exists as soon as the quote does. */
import type { World } from "../../../engine/command.ts";
import { rateToNumber } from "../../../money/ratio.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import type { Party, Transaction } from "../transactions/transaction.ts";
import type { Parties } from "./parties/quote-parties.ts";
import { wireAccountOf } from "./parties/quote-parties.ts";
import { type Quote, quoteReference, rateOf } from "./quote.ts";
import { rateDetailsOf } from "./rate-details.ts";

interface QuoteDetails {
  readonly description: string | undefined;
  readonly remittanceInformation: string | undefined;
  readonly purposeOfPayment: string | undefined;
}

export function newQuoteTransaction(
  world: World,
  {
    quote,
    parties,
    input,
  }: { readonly quote: Quote; readonly parties: Parties; readonly input: QuoteDetails },
): Transaction {
  const { customer } = parties;
  return {
    id: quote.transactionId,
    type: "OUTGOING",
    status: "PENDING",
    customerId: customer?.id ?? null,
    platformCustomerId: customer?.platformCustomerId ?? world.platformId,
    source: sourceParty(quote, parties),
    destination: destinationParty(parties),
    sourceAccountId: quote.sourceAccountId,
    destinationAccountId: quote.destinationAccountId,
    sentMinor: quote.sendingMinor,
    sentCurrency: quote.sendingCurrency,
    receivedMinor: quote.receivingMinor,
    receivedCurrency: quote.receivingCurrency,
    quoteId: quote.id,
    agentId: quote.agentId,
    reference: referenceOf(quote),
    description: quote.description,
    failureReason: null,
    failure: null,
    refund: null,
    details: detailsOf(quote, input),
    metadata: quote.metadata,
    outcome: null,
    createdAt: world.at,
    updatedAt: world.at,
    settledAt: null,
  };
}

function sourceParty(quote: Quote, { source }: Parties): Party {
  const { currency } = source;
  if (source.kind !== "realtime") {
    return { type: "ACCOUNT", accountId: wireAccountOf(source), currency };
  }
  const { customerId } = quote.source;
  return {
    type: "REALTIME_FUNDING",
    currency,
    ...(customerId === undefined ? {} : { customerId }),
  };
}

function destinationParty({ destination }: Parties): Party {
  const { currency } = destination;
  if (destination.kind !== "uma") {
    return { type: "ACCOUNT", accountId: wireAccountOf(destination), currency };
  }
  return { type: "UMA_ADDRESS", umaAddress: destination.receiver.umaAddress, currency };
}

/** The memo that identifies the payer's payment: that of the first instruction. */
function referenceOf({ paymentInstructions }: Quote): string | null {
  for (const { accountOrWalletInfo: account } of paymentInstructions ?? []) {
    if (isJsonObject(account) && typeof account.reference === "string") return account.reference;
  }
  return null;
}

function detailsOf(quote: Quote, given: QuoteDetails): JsonObject {
  const { paymentInstructions, counterpartyInformation, paymentRail } = quote;
  const reference = quoteReference(quote);
  const { remittanceInformation, purposeOfPayment } = given;
  return {
    exchangeRate: rateToNumber(rateOf(quote)),
    fees: Number(quote.feesMinor),
    rateDetails: rateDetailsOf(quote),
    ...(paymentRail === null ? {} : { paymentRail }),
    ...(reference === undefined ? {} : { reference }),
    ...(remittanceInformation === undefined ? {} : { remittanceInformation }),
    ...(purposeOfPayment === undefined ? {} : { purposeOfPayment }),
    ...(paymentInstructions === null ? {} : { paymentInstructions }),
    ...(counterpartyInformation === null ? {} : { counterpartyInformation }),
  };
}
