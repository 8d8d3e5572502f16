/** Prices against a search that computes with whole fractions alone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratio } from "../../../money/ratio.ts";
import { present } from "../../../std/assert.ts";
import type { FeeRule } from "../../prices/price-rules/price-rules.ts";
import { publishedMultiplier } from "./published-multiplier.ts";
import { type Receiving, receivedPrice } from "./received-price.ts";

const RUNS = 50_000;

function rule(fixed: bigint, bps: number): FeeRule {
  const any = { from: "*", to: "*", accountType: null, paymentRail: null };
  return { ...any, fixed: fixed.toString(), bps, least: null, most: null };
}

const receiving: fc.Arbitrary<Receiving> = fc
  .record({
    numerator: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    fixed: fc.bigInt({ min: 0n, max: 10_000n }),
    bps: fc.integer({ min: 0, max: 500 }),
    isFree: fc.boolean(),
  })
  .map(({ numerator, denominator, fixed, bps, isFree }) => ({
    asset: "USDC",
    currency: "EUR",
    multiplier: present(publishedMultiplier(ratio(numerator, denominator)), "a multiplier"),
    fee: isFree ? undefined : rule(fixed, bps),
  }));

const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });

/** The fee on what is sent, as rules define it: a fixed part, and a share of the rest, half up. */
function feeOn(sent: bigint, fee: FeeRule | undefined): bigint {
  if (fee === undefined) return 0n;
  const base = sent - BigInt(fee.fixed);
  const share = base <= 0n ? 0n : (base * BigInt(fee.bps) * 2n + 10_000n) / 20_000n;
  return BigInt(fee.fixed) + share;
}

describe("the price of a payment that comes in", () => {
  it("asks for the least invoice that leaves the named amount", () => {
    fc.assert(
      fc.property(receiving, amounts, (terms, minor) => {
        const { numerator, denominator } = terms.multiplier.value;
        const price = present(receivedPrice(terms, { side: "RECEIVING", minor }), "a price");
        expect(price.receivingMinor).toBe(minor);
        const suffices = (sent: bigint) =>
          (sent - feeOn(sent, terms.fee)) * denominator >= minor * numerator;
        expect(suffices(price.invoiceMinor)).toBe(true);
        expect(suffices(price.invoiceMinor - 1n)).toBe(false);
        const worth = (minor * numerator + denominator - 1n) / denominator;
        expect(price.invoiceMinor).toBe(worth + price.feeMinor);
      }),
      { numRuns: RUNS },
    );
  });

  it("gives as much as the named units buy, and tells the rest as fee", () => {
    fc.assert(
      fc.property(receiving, amounts, (terms, minor) => {
        const { numerator, denominator } = terms.multiplier.value;
        const price = receivedPrice(terms, { side: "SENDING", minor });
        const net = minor - feeOn(minor, terms.fee);
        const bought = net <= 0n ? 0n : (net * denominator) / numerator;
        if (bought === 0n) {
          expect(price).toBeUndefined();
          return;
        }
        expect(price?.invoiceMinor).toBe(minor);
        expect(price?.receivingMinor).toBe(bought);
        const worth = (bought * numerator + denominator - 1n) / denominator;
        expect(price?.feeMinor).toBe(minor - worth);
        expect(minor - worth).toBeGreaterThanOrEqual(feeOn(minor, terms.fee) - 1n);
      }),
      { numRuns: RUNS },
    );
  });
});
