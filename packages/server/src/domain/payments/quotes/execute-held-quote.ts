import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { type CreateQuoteInput, createQuote } from "./create-quote.ts";
import { expireNow, expireQuote } from "./expire-quote.ts";
import { type Quote, quotes, toQuoteId } from "./quote.ts";

/** The worst acceptable value of the amount that the caller did not fix. */
export type PriceBound = { readonly minReceivedMinor: bigint } | { readonly maxSentMinor: bigint };

export interface HeldQuoteInput {
  /** The earlier quote that was to be executed. */
  readonly quoteId: string;
  /** Its terms, to be executed at once. */
  readonly terms: CreateQuoteInput;
  readonly bound: PriceBound;
}

/**
 * Creates a quote on the terms of an earlier one and executes it if its price is within the bound. The earlier quote expires if it is still
 * open, so that it cannot be paid as well. Refuses, in this order: an unknown quote; one that was executed or has failed; whatever
 * `createQuote` refuses for an immediate execution; a price beyond the bound.
 */
export const executeHeldQuote: Command<HeldQuoteInput, Quote> = {
  name: "execute-held-quote",
  needs: heldQuoteNeeds,
  decide(world, { quoteId, terms, bound }) {
    const asked = world.find(quotes.ref(quoteId));
    if (asked === undefined) throw new Refusal("QUOTE_NOT_FOUND");
    const { status } = asked;
    if (status !== "PENDING" && status !== "EXPIRED")
      throw wrongState({ object: "quote", status, needed: "PENDING", action: "executed" });
    const fresh = createQuote.decide(world, terms);
    refuseMoved(fresh, bound);
    if (status === "PENDING") endReplaced(world, asked);
    return fresh;
  },
};

function heldQuoteNeeds(world: Loaded, { quoteId, terms }: HeldQuoteInput): readonly AnyRef[] {
  const asked = { quoteId, jobId: "", graceMs: 0 };
  return [...expireQuote.needs(world, asked), ...createQuote.needs(world, terms)];
}

function refuseMoved(fresh: Quote, bound: PriceBound): void {
  const { sendingMinor, receivingMinor, sendingCurrency, receivingCurrency } = fresh;
  const isKept =
    "minReceivedMinor" in bound
      ? receivingMinor >= bound.minReceivedMinor
      : sendingMinor <= bound.maxSentMinor;
  if (isKept) return;
  const details = {
    sendingAmount: Number(sendingMinor),
    sendingCurrency,
    receivingAmount: Number(receivingMinor),
    receivingCurrency,
    ...("minReceivedMinor" in bound
      ? { minReceived: Number(bound.minReceivedMinor) }
      : { maxSent: Number(bound.maxSentMinor) }),
  };
  throw new Refusal("RATE_MOVED", details);
}

function endReplaced(world: World, quote: Quote): void {
  if (quote.expiryJobId !== null) world.cancel(quote.expiryJobId);
  expireNow(world, quote);
}

/** Allows half a percent of slippage from the price that was shown. */
export function boundOf({ lockedSide, sendingMinor, receivingMinor }: Quote): PriceBound {
  return lockedSide === "RECEIVING"
    ? { maxSentMinor: sendingMinor + sendingMinor / 200n }
    : { minReceivedMinor: receivingMinor - receivingMinor / 200n };
}

export const heldQuoteResult = ({ id }: Quote) => toQuoteId(id);
