import Type from "typebox";
import {
  type Quote,
  quoteReference,
  quoteStatuses,
  rateOf,
  toQuoteId,
} from "../../domain/payments/quotes/quote.ts";
import { rateDetailsOf } from "../../domain/payments/quotes/rate-details.ts";
import { toTransactionId } from "../../domain/payments/transactions/transaction.ts";
import { toWireCurrency } from "../../money/currency.ts";
import { printAmount } from "../../money/money.ts";
import { rateToNumber } from "../../money/ratio.ts";
import { toIso } from "../../std/clock.ts";
import type { JsonObject } from "../../std/json.ts";
import { taggedUnion } from "../../validation/schema.ts";
import { PaymentInstructionSchema } from "../accounts/internal-account.ts";
import { CurrencySchema, DateTimeSchema } from "../fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { partiesMember } from "../reading/party.ts";
import { listedText } from "../value-lists.ts";
import { RateDetailsSchema } from "./rate-details.ts";

const currency = listedText("CurrencyCode");
const customerId = Type.Optional(Type.String());

const QuoteSourceSchema = taggedUnion(
  "sourceType",
  [
    Type.Object({ sourceType: Type.Literal("ACCOUNT"), accountId: Type.String(), customerId }),
    Type.Object({
      sourceType: Type.Literal("REALTIME_FUNDING"),
      currency,
      customerId,
      cryptoNetwork: Type.Optional(Type.String()),
    }),
  ],
  { $id: "QuoteSource" },
);

const QuoteDestinationSchema = taggedUnion(
  "destinationType",
  [
    Type.Object({
      destinationType: Type.Literal("ACCOUNT"),
      accountId: Type.String(),
      paymentRail: Type.Optional(listedText("PaymentRail")),
    }),
    Type.Object({
      destinationType: Type.Literal("UMA_ADDRESS"),
      umaAddress: Type.String(),
      currency,
    }),
  ],
  { $id: "QuoteDestination" },
);

export const QuoteSchema = Type.Object(
  {
    id: Type.String({ description: "`Quote:<uuid>`" }),
    status: Type.Enum([...quoteStatuses]),
    source: QuoteSourceSchema,
    destination: QuoteDestinationSchema,
    sendingCurrency: CurrencySchema,
    receivingCurrency: CurrencySchema,
    totalSendingAmount: Type.Integer({ minimum: 1, description: "Fees and all." }),
    totalReceivingAmount: Type.Integer({ minimum: 1 }),
    exchangeRate: Type.Number({
      description: "Whole sending units for one whole receiving unit, without fees.",
    }),
    feesIncluded: Type.Integer({ minimum: 0, description: "In the sending currency." }),
    transactionId: Type.String(),
    paymentInstructions: Type.Optional(Type.Array(PaymentInstructionSchema)),
    counterpartyInformation: Type.Optional(Type.Record(Type.String(), Type.String())),
    rateDetails: RateDetailsSchema,
    description: Type.Optional(Type.String()),
    paymentRail: Type.Optional(
      listedText("PaymentRail", {
        description: "The caller's choice, or the rail that was taken.",
      }),
    ),
    reference: Type.Optional(
      Type.String({ description: "What the beneficiary finds on a statement." }),
    ),
    metadata: Type.Optional(MetadataSchema),
    parties: partiesMember("from", "to", "by"),
    createdAt: DateTimeSchema,
    expiresAt: DateTimeSchema,
  },
  { $id: "Quote" },
);

/** `told`: instructions that connectors gave after the quote was made, if the caller has looked them up. */
export function quoteJson(quote: Quote, told: readonly JsonObject[] = []): string {
  const { paymentInstructions } = quote;
  return JSON.stringify({
    id: toQuoteId(quote.id),
    status: quote.status,
    source: quote.source,
    destination: quote.destination,
    sendingCurrency: toWireCurrency(quote.sendingCurrency),
    receivingCurrency: toWireCurrency(quote.receivingCurrency),
    totalSendingAmount: printAmount(quote.sendingMinor),
    totalReceivingAmount: printAmount(quote.receivingMinor),
    exchangeRate: rateToNumber(rateOf(quote)),
    feesIncluded: printAmount(quote.feesMinor),
    transactionId: toTransactionId(quote.transactionId),
    paymentInstructions:
      paymentInstructions === null ? undefined : [...paymentInstructions, ...told],
    counterpartyInformation: quote.counterpartyInformation ?? undefined,
    rateDetails: rateDetailsOf(quote),
    description: quote.description ?? undefined,
    paymentRail: quote.paymentRail ?? undefined,
    reference: quoteReference(quote),
    metadata: quote.metadata ?? undefined,
    createdAt: toIso(quote.createdAt),
    expiresAt: toIso(quote.expiresAt),
  });
}

export const quoteExample = {
  id: "Quote:019a4f00-0000-7000-8000-000000000007",
  status: "PENDING",
  source: {
    sourceType: "ACCOUNT",
    accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
  },
  destination: {
    destinationType: "ACCOUNT",
    accountId: "ExternalAccount:019a4f00-0000-7000-8000-000000000003",
    paymentRail: "SEPA",
  },
  sendingCurrency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  receivingCurrency: { code: "EUR", name: "Euro", symbol: "€", decimals: 2 },
  totalSendingAmount: 100000,
  totalReceivingAmount: 91704,
  exchangeRate: 1.08695652,
  feesIncluded: 321,
  transactionId: "Transaction:019a4f00-0000-7000-8000-000000000004",
  rateDetails: {
    counterpartyMultiplier: 0.000092,
    counterpartyFixedFee: 10,
    serviceApiMultiplier: 9970,
    serviceApiFixedFee: 10,
    serviceApiVariableFeeRate: 0.003,
    serviceApiVariableFeeAmount: 300,
  },
  paymentRail: "SEPA",
  reference: "FL8000000000004",
  createdAt: "2026-11-21T10:00:00.000Z",
  expiresAt: "2026-11-21T10:05:00.000Z",
};
