import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Leg, Posting } from "../../../ledger/postings.ts";
import { corridorBetween } from "../../prices/rates/corridor.ts";
import { priceOf } from "../../prices/rates/pricing.ts";
import { pricedCurrencies } from "../../prices/rates/sandbox-rates.ts";
import type { Quote } from "./quote.ts";
import {
  convertPosting,
  fundPosting,
  holdPosting,
  refundPosting,
  returnPosting,
} from "./quote-postings.ts";

const SOURCE = "source";
const TARGET = "target";
const code = fc.constantFrom(...pricedCurrencies);
const quotes = fc
  .record({
    sendingCurrency: code,
    receivingCurrency: code,
    side: fc.constantFrom("SENDING" as const, "RECEIVING" as const),
    minor: fc.bigInt({ min: 1n, max: 9_000_000_000_000_000n }),
  })
  .map(({ sendingCurrency, receivingCurrency, side, minor }): Quote | undefined => {
    const corridor = corridorBetween(sendingCurrency, receivingCurrency);
    const price = corridor && priceOf(corridor, { side, minor });
    if (price === undefined) return undefined;
    return {
      ...{ ...corridor, ...price, sendingCurrency, receivingCurrency },
      settlement: null,
    } as unknown as Quote;
  })
  .filter((quote) => quote !== undefined);

/** What each place gains in each currency; an account is in the currency that the test gives it. */
function gains(quote: Quote, postings: readonly Posting[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const leg of postings.flatMap(({ legs }) => legs)) {
    const place = placeOf(quote, leg);
    sums[place] = (sums[place] ?? 0n) + leg.minor;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}

function placeOf(quote: Quote, leg: Leg): string {
  if ("system" in leg) return `${leg.system} ${leg.currency}`;
  const isSource = leg.account === SOURCE;
  return `${leg.account} ${isSource ? quote.sendingCurrency : quote.receivingCurrency}`;
}

function expectBalanced(quote: Quote, { legs }: Posting): void {
  const sums = new Map<string, bigint>();
  for (const leg of legs) {
    const [, currency = ""] = placeOf(quote, leg).split(" ");
    expect(leg.minor).not.toBe(0n);
    sums.set(currency, (sums.get(currency) ?? 0n) + leg.minor);
  }
  for (const sum of sums.values()) expect(sum).toBe(0n);
}

describe("the postings of a quote", () => {
  it("balance in each currency at every price", () => {
    fc.assert(
      fc.property(quotes, (quote) => {
        for (const sides of [
          { heldFor: SOURCE, creditTo: undefined },
          { heldFor: SOURCE, creditTo: TARGET },
          { heldFor: undefined, creditTo: undefined },
        ]) {
          expectBalanced(quote, convertPosting(quote, sides));
          expectBalanced(quote, returnPosting(quote, sides));
        }
      }),
    );
  });

  it("pay exactly the quoted amount, and take exactly the quoted amount", () => {
    fc.assert(
      fc.property(quotes, (quote) => {
        const sides = { heldFor: SOURCE, creditTo: undefined };
        const total = gains(quote, [holdPosting(quote, SOURCE), convertPosting(quote, sides)]);
        expect(total[`${SOURCE} ${quote.sendingCurrency}`]).toBe(-quote.sendingMinor);
        const paidOut = total[`rail-clearing ${quote.receivingCurrency}`];
        expect(paidOut).toBe(quote.receivingMinor + quote.counterpartyFeeMinor);
        expect((total[`rounding ${quote.sendingCurrency}`] ?? 0n) >= 0n).toBe(true);
      }),
    );
  });

  it("sum to zero when a payment fails, or is returned after its arrival", () => {
    fc.assert(
      fc.property(quotes, fc.boolean(), (quote, isFromOutside) => {
        const heldFor = isFromOutside ? undefined : SOURCE;
        const sides = { heldFor, creditTo: undefined };
        const begun = isFromOutside
          ? fundPosting(quote, quote.sendingMinor)
          : holdPosting(quote, SOURCE);
        const refund = refundPosting(quote, {
          minor: quote.sendingMinor,
          heldFor,
          refundTo: heldFor,
        });
        expect(gains(quote, [begun, refund])).toEqual({});
        const roundTrip = [convertPosting(quote, sides), returnPosting(quote, sides)];
        expect(gains(quote, [begun, ...roundTrip, refund])).toEqual({});
      }),
    );
  });
});
