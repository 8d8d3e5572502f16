/** How the price of a quote was made, on the wire. */
import Type from "typebox";
import type { QuotePrice } from "../../domain/payments/quotes/market/quote-price.ts";
import { toQuoteId } from "../../domain/payments/quotes/quote.ts";
import { toSourceId } from "../../domain/prices/rate-sources/rate-source.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { FeeRuleSchema, feeRuleJson } from "./price-rules.ts";

const fraction = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[0-9]+/[0-9]+$", description, examples: ["200/217"] }));

export const QuotePriceSchema = Type.Object(
  {
    quoteId: Type.String({ description: "`Quote:<uuid>`" }),
    rateSource: Type.Optional(Type.Object({ id: Type.String(), name: Type.String() })),
    rateAsOf: Type.Optional(DateTimeSchema),
    mid: fraction("The source's rate: sending units for a receiving unit, as an exact fraction."),
    spreadBps: Type.Optional(Type.Integer()),
    spreadsVersion: Type.Optional(Type.Integer()),
    rate: fraction("The rate that the quote was priced with: `mid` and the spread."),
    feeRule: Type.Optional(FeeRuleSchema),
    feesVersion: Type.Optional(Type.Integer()),
  },
  { $id: "QuotePrice" },
);

/** A quote without an exchange, or of a sandbox, has no price of this kind. */
export function quotePriceJson(quoteId: string, price: QuotePrice | undefined): string {
  return JSON.stringify({ quoteId: toQuoteId(quoteId), ...(price && membersOf(price)) });
}

function membersOf({ sourceId, sourceName: name, feeRule, ...price }: QuotePrice) {
  return {
    rateSource: { id: toSourceId(sourceId), name },
    rateAsOf: toIso(price.rateAsOf),
    mid: price.mid,
    spreadBps: price.spreadBps,
    spreadsVersion: price.spreadsVersion,
    rate: price.rate,
    ...optional("feeRule", feeRule === null ? null : feeRuleJson(feeRule)),
    feesVersion: price.feesVersion,
  };
}

export const quotePriceExample = {
  quoteId: "Quote:019a4f00-0000-7000-8000-000000000004",
  rateSource: { id: "RateSource:019a4f00-0000-7000-8000-000000000031", name: "Treasury desk" },
  rateAsOf: "2026-11-21T10:00:00.000Z",
  mid: "217/200",
  spreadBps: 50,
  spreadsVersion: 3,
  rate: "43617/40000",
  feeRule: { from: "USD", to: "*", fixedMinor: 50, bps: 25, maxMinor: 5_000 },
  feesVersion: 2,
};
