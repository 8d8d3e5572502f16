/**
 * A quote: a price that holds for a few minutes, and the payment it is for. Its transaction is made with it.
 *
 *   PENDING     waits to be executed, or for the payer's money; leaves to PROCESSING, to FAILED when the wrong amount
 *               arrives, to EXPIRED when its time runs out
 *   PROCESSING  the money is on its way; leaves to COMPLETED or FAILED
 *   COMPLETED, FAILED, EXPIRED are final: a payment that comes back later fails its transaction alone
 */
import type { Ratio } from "../../../money/ratio.ts";
import { assert } from "../../../std/assert.ts";
import type { JsonObject } from "../../../std/json.ts";
import { countedBy, statusFacet } from "../../../tables/facets.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { CustomerInfo } from "../../customers/customer-info.ts";
import type { Metadata } from "../../metadata.ts";
import type { LockedSide } from "../../prices/rates/pricing.ts";
import { beneficiaryReference, umaReference } from "../transactions/delivery.ts";
import type { QuoteSettlement } from "./outside-terms.ts";
import type { Asserter } from "./parties/quote-maker.ts";

export const quoteStatuses = ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "EXPIRED"] as const;

export type QuoteStatus = (typeof quoteStatuses)[number];

/** The source, as the API shows it. */
export type QuoteSource =
  | { readonly sourceType: "ACCOUNT"; readonly accountId: string; readonly customerId?: string }
  | {
      readonly sourceType: "REALTIME_FUNDING";
      readonly currency: string;
      readonly customerId?: string;
      readonly cryptoNetwork?: string;
    };

/** The destination, as the API shows it. */
export type QuoteDestination =
  | {
      readonly destinationType: "ACCOUNT";
      readonly accountId: string;
      readonly paymentRail?: string;
    }
  | {
      readonly destinationType: "UMA_ADDRESS";
      readonly umaAddress: string;
      readonly currency: string;
    };

const columns = {
  id: fixed("uuid"),
  status: mutable<QuoteStatus>("text"),
  /** Null when the platform pays for itself. */
  customerId: fixed<string | null>("uuid"),
  source: fixed<QuoteSource>("json"),
  destination: fixed<QuoteDestination>("json"),
  /** Null when the payer pushes the money. */
  sourceAccountId: fixed<string | null>("uuid"),
  /** Null for a UMA address. */
  destinationAccountId: fixed<string | null>("uuid"),
  destinationUma: fixed<string | null>("text"),
  sendingCurrency: fixed("text"),
  receivingCurrency: fixed("text"),
  sendingMinor: fixed("int8"),
  receivingMinor: fixed("int8"),
  feesMinor: fixed("int8"),
  fixedFeeMinor: fixed("int8"),
  variableFeeMinor: fixed("int8"),
  variableFeeMillionths: fixed("int8"),
  /** In the receiving currency. */
  counterpartyFeeMinor: fixed("int8"),
  /** The part of the sending amount that is exchanged. */
  convertedMinor: fixed("int8"),
  /** The exchange rate between whole units. */
  rateNumerator: fixed("int8"),
  rateDenominator: fixed("int8"),
  paymentInstructions: fixed<readonly JsonObject[] | null>("json"),
  counterpartyInformation: mutable<JsonObject | null>("json"),
  /** Data about the sender from the request; it is sent with the payment. */
  payerInformation: fixed<CustomerInfo | null>("json"),
  description: fixed<string | null>("text"),
  /** The rail taken; null for quotes that were made before it was recorded. */
  paymentRail: fixed<string | null>("text"),
  metadata: fixed<Metadata | null>("json"),
  /** Null unless an invoice of another institution is paid. */
  settlement: fixed<QuoteSettlement | null>("json"),
  transactionId: fixed("uuid"),
  /** The agent that requested the quote; null when the platform did. */
  agentId: fixed<string | null>("uuid"),
  /** Who asked for a quote that a payer funds through connections, or executed one that a connection collects; null for every other quote. */
  maker: mutable<Asserter | null>("json"),
  /** Which of the two amounts the caller fixed; null for quotes of earlier versions. */
  lockedSide: fixed<LockedSide | null>("text"),
  /** The job that expires it; null once it cannot expire. */
  expiryJobId: mutable<string | null>("uuid"),
  /** When the sender's money was received or held; null before. */
  fundedAt: mutable<number | null>("time"),
  /** The amount that arrived if it differs from `sendingMinor`; null otherwise. */
  arrivedMinor: mutable<bigint | null>("int8"),
  createdAt: fixed("time"),
  expiresAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Quote extends RowOf<typeof columns> {}

export const quotes = defineTable<Quote>("quotes", columns, {
  isFinal: ({ status }) => status !== "PENDING" && status !== "PROCESSING",
  counted: countedBy<Quote>(statusFacet),
});

export const findQuote = finderOf(quotes);
export const listQuotes = listerOf(quotes);

const WAYS_OUT: Readonly<Record<QuoteStatus, readonly QuoteStatus[]>> = {
  PENDING: ["PROCESSING", "FAILED", "EXPIRED"],
  PROCESSING: ["COMPLETED", "FAILED"],
  COMPLETED: [],
  FAILED: [],
  EXPIRED: [],
};

export function canLeaveQuote(from: QuoteStatus, to: QuoteStatus): boolean {
  return WAYS_OUT[from].includes(to);
}

/** The quote in its next state. A transition that is not listed is a bug. Only a pending quote keeps its expiry job. */
export function moveQuote(quote: Quote, to: QuoteStatus, at: number): Quote {
  assert(canLeaveQuote(quote.status, to), `a quote goes from ${quote.status} to ${to}`);
  return { ...quote, status: to, expiryJobId: null, updatedAt: at };
}

export function rateOf({ rateNumerator, rateDenominator }: Quote): Ratio {
  return { numerator: rateNumerator, denominator: rateDenominator };
}

/** The reference that the beneficiary sees; undefined for quotes that were made before references were sent. */
export function quoteReference(
  quote: Pick<Quote, "paymentRail" | "destinationUma" | "transactionId">,
): string | undefined {
  const { paymentRail, destinationUma, transactionId } = quote;
  if (paymentRail === null) return undefined;
  return destinationUma === null
    ? beneficiaryReference(transactionId)
    : umaReference(transactionId);
}

export function toQuoteId(id: string): string {
  return `Quote:${id}`;
}
