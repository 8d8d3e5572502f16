/** Prices with bounded fees, against a search that knows nothing of fractions in lowest terms. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ratio } from "../../../money/ratio.ts";
import type { FeeRule } from "../price-rules/price-rules.ts";
import { corridorAt, withFee } from "./corridor.ts";
import { priceOf } from "./pricing.ts";

interface Made {
  /** Dollars for a euro: units of both in ten-thousandths. */
  readonly rate: bigint;
  readonly fixed: bigint;
  readonly bps: bigint;
  readonly least: bigint | null;
  readonly most: bigint | null;
}

const small = fc.bigInt({ min: 0n, max: 400n });
const made: fc.Arbitrary<Made> = fc
  .record({
    rate: fc.bigInt({ min: 1n, max: 60_000n }),
    fixed: small,
    bps: fc.oneof(fc.bigInt({ min: 0n, max: 10_000n }), fc.constantFrom(0n, 25n, 9_999n, 10_000n)),
    least: fc.option(small),
    most: fc.option(small),
  })
  .map(({ least, most, ...rest }) => {
    const isSwapped = least !== null && most !== null && least > most;
    return { ...rest, least: isSwapped ? most : least, most: isSwapped ? least : most };
  });

function corridorOf({ rate, fixed, bps, least, most }: Made) {
  const rule: FeeRule = {
    from: "USD",
    to: "EUR",
    accountType: null,
    paymentRail: null,
    fixed: fixed.toString(),
    bps: Number(bps),
    least: least?.toString() ?? null,
    most: most?.toString() ?? null,
  };
  const currencies = { sendingCurrency: "USD", receivingCurrency: "EUR" };
  return withFee(corridorAt(ratio(rate, 10_000n), currencies), rule);
}

/** What is left for the exchange, written out. */
function netOf({ fixed, bps, least, most }: Made, sent: bigint): bigint {
  const base = sent - fixed;
  // Twice the fee and one, halved and rounded down: half up.
  let fee = base <= 0n ? 0n : (base * bps * 2n + 10_000n) / 20_000n;
  if (least !== null && fee < least) fee = least;
  if (most !== null && fee > most) fee = most;
  return base - fee;
}

const received = (given: Made, sent: bigint) => {
  const net = netOf(given, sent);
  return net <= 0n ? 0n : (net * 10_000n) / given.rate;
};

describe("a price at a rate of the market", () => {
  it("leaves the receiver what the fee leaves, rounded down", () => {
    fc.assert(
      fc.property(made, fc.bigInt({ min: 1n, max: 100_000n }), (given, minor) => {
        const price = priceOf(corridorOf(given), { side: "SENDING", minor });
        expect(price?.receivingMinor ?? 0n).toBe(received(given, minor));
        if (price === undefined) return;
        const parts =
          price.fixedFeeMinor + price.variableFeeMinor + price.convertedMinor + price.dustMinor;
        expect(parts).toBe(minor);
        expect(price.dustMinor >= 0n).toBe(true);
        expect(price.feesMinor).toBe(minor - netOf(given, minor));
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes the least amount that buys what is to be received", () => {
    fc.assert(
      fc.property(made, fc.bigInt({ min: 1n, max: 300n }), (given, minor) => {
        const price = priceOf(corridorOf(given), { side: "RECEIVING", minor });
        if (price === undefined) {
          // The fee takes everything, and nothing bounds it.
          expect([given.bps, given.most]).toEqual([10_000n, null]);
          expect(received(given, 10n ** 15n)).toBe(0n);
          return;
        }
        expect(price.receivingMinor).toBe(minor);
        expect(received(given, price.sendingMinor) >= minor).toBe(true);
        expect(received(given, price.sendingMinor - 1n) < minor).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
