/** Money from outside that a quote has: one row for each entry, or part of an item, that brought some. */
import { defineLookup, defineTable, fixed, mutable } from "../../../tables/tables.ts";

export interface QuoteFunding {
  readonly id: string;
  readonly quoteId: string;
  readonly connectionId: string;
  readonly entryId: string;
  readonly amountMinor: bigint;
  /** The item as which it was set aside, to be given back; null while the quote has it. */
  readonly itemId: string | null;
  readonly createdAt: number;
}

export const quoteFundings = defineTable<QuoteFunding>("quote_fundings", {
  id: fixed("uuid"),
  quoteId: fixed("uuid"),
  connectionId: fixed("uuid"),
  entryId: fixed("uuid"),
  amountMinor: fixed("int8"),
  itemId: mutable("uuid"),
  createdAt: fixed("time"),
});

export const fundingsOfQuote = defineLookup(quoteFundings, { by: "quoteId" });

/** One more makes the amount a mismatch. */
export const MOST_FUNDING_PARTS = 20;
