/** How the price of a quote with an exchange was made, in production. It is private to the platform. */
import type { Ratio } from "../../../../money/ratio.ts";
import { defineTable, fixed } from "../../../../tables/tables.ts";
import type { FeeRule } from "../../../prices/price-rules/price-rules.ts";

export interface QuotePrice {
  /** The quote's. */
  readonly id: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly rateAsOf: number;
  /** The source's rate, in sending units for a receiving unit: a fraction such as `200/217`. */
  readonly mid: string;
  readonly spreadBps: number;
  readonly spreadsVersion: number;
  /** What the customer pays, with the spread. */
  readonly rate: string;
  /** Null when no rule applied. */
  readonly feeRule: FeeRule | null;
  readonly feesVersion: number;
  readonly createdAt: number;
}

export const quotePrices = defineTable<QuotePrice>(
  "quote_prices",
  {
    id: fixed("uuid"),
    sourceId: fixed("uuid"),
    sourceName: fixed("text"),
    rateAsOf: fixed("time"),
    mid: fixed("text"),
    spreadBps: fixed("int4"),
    spreadsVersion: fixed("int4"),
    rate: fixed("text"),
    feeRule: fixed("json"),
    feesVersion: fixed("int4"),
    createdAt: fixed("time"),
  },
  { isFinal: () => true },
);

export function fractionText({ numerator, denominator }: Ratio): string {
  return `${numerator}/${denominator}`;
}
