/** How the price of a quote with an exchange was made, in production. It is private to the platform. */
import type { Ratio } from "../../../../money/ratio.ts";
import { finderOf } from "../../../../tables/find-row.ts";
import { defineTable, fixed, type RowOf } from "../../../../tables/tables.ts";
import type { FeeRule } from "../../../prices/price-rules/price-rules.ts";

const columns = {
  /** The id of the quote. */
  id: fixed("uuid"),
  sourceId: fixed("uuid"),
  sourceName: fixed("text"),
  rateAsOf: fixed("time"),
  /** The source's mid rate, in sending units per receiving unit: a fraction such as `200/217`. */
  mid: fixed("text"),
  spreadBps: fixed("int4"),
  spreadsVersion: fixed("int4"),
  /** The customer's rate, which includes the spread. */
  rate: fixed("text"),
  /** Null when no rule applied. */
  feeRule: fixed<FeeRule | null>("json"),
  feesVersion: fixed("int4"),
  createdAt: fixed("time"),
};

export interface QuotePrice extends RowOf<typeof columns> {}

export const quotePrices = defineTable<QuotePrice>("quote_prices", columns, {
  isFinal: () => true,
});

/** Undefined for a quote without an exchange, and for one of a sandbox. */
export const findQuotePrice = finderOf(quotePrices);

export function fractionText({ numerator, denominator }: Ratio): string {
  return `${numerator}/${denominator}`;
}
