import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getCurrency } from "../../../money/currency.ts";
import {
  multiply,
  rateToNumber,
  ratio,
  ratioFromDecimal,
  ratioToNumber,
  scale,
} from "../../../money/ratio.ts";
import { present } from "../../../std/assert.ts";
import {
  type Corridor,
  corridorBetween,
  inSmallestUnits,
  multipliersOf,
  withoutCounterparty,
} from "./corridor.ts";
import { priceOf } from "./pricing.ts";
import { findPrice, pricedCurrencies } from "./sandbox-rates.ts";

const corridor = (from: string, to: string) => present(corridorBetween(from, to), `${from} ${to}`);
const shownRate = ({ rate }: Corridor) => rateToNumber(rate);

describe("sandbox rates", () => {
  it.each([
    ["USD", "EUR", 1.08695652],
    ["USD", "MXN", 0.05797101],
    ["USD", "INR", 0.012121],
    ["USD", "BTC", 120048.01920768],
    ["USDC", "USD", 1],
    ["USDB", "USD", 1],
    ["EUR", "USD", 0.92],
    ["EUR", "EUR", 1],
    ["BTC", "USD", 0.00000833],
    ["BTC", "VND", 3.1654e-10],
  ])("say %s per %s is %d", (from, to, rate) => {
    expect(shownRate(corridor(from, to))).toBe(rate);
  });

  it("know nothing of a currency without a price", () => {
    expect(corridorBetween("USD", "ISK")).toBeUndefined();
    expect(corridorBetween("usd", "EUR")).toBeUndefined();
  });

  it("are made of fractions that fit a bigint column, between whole and between smallest units", () => {
    for (const from of pricedCurrencies) {
      for (const to of pricedCurrencies) {
        const between = corridor(from, to);
        for (const rate of [between.rate, inSmallestUnits(between.rate, between)]) {
          expect(rate.numerator > 0n && rate.numerator < 2n ** 63n, `${from} ${to}`).toBe(true);
          expect(rate.denominator > 0n && rate.denominator < 2n ** 63n).toBe(true);
        }
      }
    }
  });

  it("have a price for currencies of the catalogue alone", () => {
    for (const code of pricedCurrencies) expect(getCurrency(code).code).toBe(code);
    expect(findPrice("XXX")).toBeUndefined();
  });
});

describe("a price", () => {
  it("is worked out for a locked sending amount", () => {
    expect(priceOf(corridor("USD", "EUR"), { side: "SENDING", minor: 100_000n })).toEqual({
      sendingMinor: 100_000n,
      receivingMinor: 91_704n,
      feesMinor: 321n,
      fixedFeeMinor: 10n,
      variableFeeMinor: 300n,
      convertedMinor: 99_689n,
      dustMinor: 1n,
    });
  });

  it("is worked out for a locked receiving amount", () => {
    expect(priceOf(corridor("USD", "EUR"), { side: "RECEIVING", minor: 92_000n })).toMatchObject({
      sendingMinor: 100_322n,
      receivingMinor: 92_000n,
      feesMinor: 322n,
      variableFeeMinor: 301n,
    });
  });

  it("is described as a hop through bitcoin", () => {
    const { service, counterparty } = multipliersOf(corridor("USD", "EUR"));
    expect(service).toEqual(ratio(9970n, 1n));
    expect(ratioToNumber(counterparty, 12, "half-up")).toBe(0.000092);
  });

  it("leaves a payment that fees would eat without one", () => {
    for (const minor of [1n, 10n, 21n]) {
      expect(priceOf(corridor("USD", "EUR"), { side: "SENDING", minor })).toBeUndefined();
    }
    expect(priceOf(corridor("USD", "EUR"), { side: "SENDING", minor: 23n })?.receivingMinor).toBe(
      1n,
    );
  });
});

/** Seven digits of a rate are shown at least, the last one rounded. */
const SHOWN = 10n ** 6n;
const plainDecimal = (value: number) => value.toFixed(20);

const code = fc.constantFrom(...pricedCurrencies);
const corridors = fc
  .tuple(code, code, fc.boolean())
  .map(([from, to, isOurs]) =>
    isOurs ? withoutCounterparty(corridor(from, to)) : corridor(from, to),
  );
const amounts = fc.bigInt({ min: 1n, max: 9_000_000_000_000_000n });
const locks = fc.record({
  side: fc.constantFrom("SENDING" as const, "RECEIVING" as const),
  minor: amounts,
});

describe("every price", () => {
  it("adds up, and keeps the exchange rate", () => {
    fc.assert(
      fc.property(corridors, locks, (through, locked) => {
        const price = priceOf(through, locked);
        if (price === undefined) return;
        const perUnit = inSmallestUnits(through.rate, through);
        const { sendingMinor, receivingMinor, feesMinor, fixedFeeMinor, variableFeeMinor } = price;
        expect(fixedFeeMinor + variableFeeMinor + price.convertedMinor + price.dustMinor).toBe(
          sendingMinor,
        );
        expect(price.dustMinor >= 0n).toBe(true);
        // What is exchanged is rounded down: the dust is ours, and never lent to the exchange.
        const paidOut = (receivingMinor + through.counterpartyFeeMinor) * perUnit.numerator;
        expect(price.convertedMinor).toBe(paidOut / perUnit.denominator);
        // What is left after fees buys what is received, and not a unit more than rounding explains.
        const net = sendingMinor - feesMinor;
        expect(net * perUnit.denominator >= receivingMinor * perUnit.numerator).toBe(true);
        const buyable = (net * perUnit.denominator) / perUnit.numerator;
        if (locked.side === "SENDING") expect(receivingMinor).toBe(buyable);
        else expect(receivingMinor).toBe(locked.minor);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is what the shown rate makes of it, to the digits that are shown", () => {
    fc.assert(
      fc.property(corridors, locks, (through, locked) => {
        const price = priceOf(through, locked);
        if (price === undefined) return;
        const shown = ratioFromDecimal(plainDecimal(shownRate(through)));
        const perUnit = inSmallestUnits(shown, through);
        const net = price.sendingMinor - price.feesMinor;
        const paidFor = price.receivingMinor * perUnit.numerator;
        const off = net * perUnit.denominator - paidFor;
        const digits = (off < 0n ? -off : off) * SHOWN;
        // Beside the digits that are not shown, amounts are rounded: one unit on either side.
        const rounding = perUnit.numerator + perUnit.denominator * 2n;
        expect(digits <= paidFor + rounding * SHOWN).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("of a locked receiving amount is the least that suffices", () => {
    fc.assert(
      fc.property(corridors, amounts, (through, minor) => {
        const price = present(priceOf(through, { side: "RECEIVING", minor }), "a price");
        const oneLess = priceOf(through, { side: "SENDING", minor: price.sendingMinor - 1n });
        expect((oneLess?.receivingMinor ?? 0n) < minor).toBe(true);
        const same = priceOf(through, { side: "SENDING", minor: price.sendingMinor });
        expect((same?.receivingMinor ?? 0n) >= minor).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes the hop's product for the same thing", () => {
    for (const from of pricedCurrencies) {
      const through = corridor(from, "EUR");
      const { service, counterparty } = multipliersOf(through);
      const kept = ratio(1_000_000n - through.variableFeeMillionths, 1_000_000n);
      const direct = multiply(
        kept,
        ratio(
          inSmallestUnits(through.rate, through).denominator,
          inSmallestUnits(through.rate, through).numerator,
        ),
      );
      expect(multiply(service, counterparty)).toEqual(direct);
    }
  });

  it("never pays for a round trip", () => {
    fc.assert(
      fc.property(code, code, amounts, (from, to, minor) => {
        const there = priceOf(withoutCounterparty(corridor(from, to)), { side: "SENDING", minor });
        if (there === undefined) return;
        const back = priceOf(withoutCounterparty(corridor(to, from)), {
          side: "SENDING",
          minor: there.receivingMinor,
        });
        expect((back?.receivingMinor ?? 0n) < minor).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("loses less than a receiving unit and a smallest unit to dust", () => {
    fc.assert(
      fc.property(corridors, locks, (through, locked) => {
        const price = priceOf(through, locked);
        if (price === undefined) return;
        const unit = scale(1n, inSmallestUnits(through.rate, through), "up");
        expect(price.dustMinor <= unit + 2n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
