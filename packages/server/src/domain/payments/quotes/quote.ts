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
import { defineTable, fixed, mutable } from "../../../tables/tables.ts";
import type { CustomerInfo } from "../../customers/customer-info.ts";
import type { Metadata } from "../../metadata.ts";
import type { LockedSide } from "../../prices/rates/pricing.ts";
import { beneficiaryReference, umaReference } from "../transactions/delivery.ts";
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

export interface Quote {
  readonly id: string;
  readonly status: QuoteStatus;
  /** Null when the platform pays for itself. */
  readonly customerId: string | null;
  readonly source: QuoteSource;
  readonly destination: QuoteDestination;
  /** Null when the payer pushes the money. */
  readonly sourceAccountId: string | null;
  /** Null for a UMA address. */
  readonly destinationAccountId: string | null;
  readonly destinationUma: string | null;
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  readonly sendingMinor: bigint;
  readonly receivingMinor: bigint;
  readonly feesMinor: bigint;
  readonly fixedFeeMinor: bigint;
  readonly variableFeeMinor: bigint;
  readonly variableFeeMillionths: bigint;
  /** In the receiving currency. */
  readonly counterpartyFeeMinor: bigint;
  /** The part of the sending amount that is exchanged. */
  readonly convertedMinor: bigint;
  /** The exchange rate between whole units. */
  readonly rateNumerator: bigint;
  readonly rateDenominator: bigint;
  readonly paymentInstructions: readonly JsonObject[] | null;
  readonly counterpartyInformation: JsonObject | null;
  /** Data about the sender from the request; it is sent with the payment. */
  readonly payerInformation: CustomerInfo | null;
  readonly description: string | null;
  /** The rail taken; null for quotes that were made before it was recorded. */
  readonly paymentRail: string | null;
  readonly metadata: Metadata | null;
  readonly transactionId: string;
  /** The agent that asked for it; null when the platform did. */
  readonly agentId: string | null;
  /** Of a quote that a payer funds through connections: who asked for it. Null of every other. */
  readonly maker: Asserter | null;
  /** Which of the two amounts was asked for; null for quotes of earlier versions. */
  readonly lockedSide: LockedSide | null;
  /** The job that expires it; null once it cannot expire. */
  readonly expiryJobId: string | null;
  /** When the sender's money was received or held; null before. */
  readonly fundedAt: number | null;
  /** The amount that arrived if it differs from `sendingMinor`; null otherwise. */
  readonly arrivedMinor: bigint | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly updatedAt: number;
}

export const quotes = defineTable<Quote>(
  "quotes",
  {
    id: fixed("uuid"),
    status: mutable("text"),
    customerId: fixed("uuid"),
    source: fixed("json"),
    destination: fixed("json"),
    sourceAccountId: fixed("uuid"),
    destinationAccountId: fixed("uuid"),
    destinationUma: fixed("text"),
    sendingCurrency: fixed("text"),
    receivingCurrency: fixed("text"),
    sendingMinor: fixed("int8"),
    receivingMinor: fixed("int8"),
    feesMinor: fixed("int8"),
    fixedFeeMinor: fixed("int8"),
    variableFeeMinor: fixed("int8"),
    variableFeeMillionths: fixed("int8"),
    counterpartyFeeMinor: fixed("int8"),
    convertedMinor: fixed("int8"),
    rateNumerator: fixed("int8"),
    rateDenominator: fixed("int8"),
    paymentInstructions: fixed("json"),
    counterpartyInformation: mutable("json"),
    payerInformation: fixed("json"),
    description: fixed("text"),
    paymentRail: fixed("text"),
    metadata: fixed("json"),
    transactionId: fixed("uuid"),
    agentId: fixed("uuid"),
    maker: fixed("json"),
    lockedSide: fixed("text"),
    expiryJobId: mutable("uuid"),
    fundedAt: mutable("time"),
    arrivedMinor: mutable("int8"),
    createdAt: fixed("time"),
    expiresAt: fixed("time"),
    updatedAt: mutable("time"),
  },
  {
    isFinal: ({ status }) => status !== "PENDING" && status !== "PROCESSING",
    counted: countedBy<Quote>(statusFacet),
  },
);

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

/** What the beneficiary sees; undefined for quotes that were made before references were sent. */
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
