/** Money from outside that a quote has: one row for each entry, or part of an item, that brought some. */
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  quoteId: fixed("uuid"),
  connectionId: fixed("uuid"),
  entryId: fixed("uuid"),
  amountMinor: fixed("int8"),
  /** The item that returns this money; null while the quote has it. */
  itemId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
};

export interface QuoteFunding extends RowOf<typeof columns> {}

export const quoteFundings = defineTable<QuoteFunding>("quote_fundings", columns);

export const fundingsOfQuote = defineLookup(quoteFundings, { by: "quoteId" });

/** The most parts that are collected for a quote; if their sum is then not exact, it is a mismatch. */
export const MOST_FUNDING_PARTS = 20;
