import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import {
  compareRatios,
  invert,
  multiply,
  rateToNumber,
  ratio,
  ratioFromDecimal,
  ratioToNumber,
  scale,
} from "./ratio.ts";

const numerators = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const denominators = fc.bigInt({ min: 1n, max: 10n ** 24n });
const ratios = fc.tuple(numerators, denominators).map(([n, d]) => ratio(n, d));
const positive = ratios.filter(({ numerator }) => numerator > 0n);

describe("ratio", () => {
  it("is kept in lowest terms with the sign on top", () => {
    expect(ratio(100n, 92n)).toEqual({ numerator: 25n, denominator: 23n });
    expect(ratio(3n, -6n)).toEqual({ numerator: -1n, denominator: 2n });
    expect(ratio(0n, -5n)).toEqual({ numerator: 0n, denominator: 1n });
  });

  it("has a denominator other than zero", () => {
    expect(() => ratio(1n, 0n)).toThrow(Bug);
    expect(() => invert(ratio(0n, 1n))).toThrow(Bug);
  });

  it("is unchanged when it is inverted twice, and one when multiplied by its inverse", () => {
    fc.assert(
      fc.property(positive, (value) => {
        expect(invert(invert(value))).toEqual(value);
        expect(multiply(value, invert(value))).toEqual({ numerator: 1n, denominator: 1n });
      }),
    );
  });

  it("is ordered like numbers", () => {
    expect(compareRatios(ratio(1n, 3n), ratio(1n, 2n))).toBe(-1);
    expect(compareRatios(ratio(2n, 4n), ratio(1n, 2n))).toBe(0);
    expect(compareRatios(ratio(-1n, 3n), ratio(-1n, 2n))).toBe(1);
    fc.assert(
      fc.property(ratios, ratios, (left, right) => {
        expect(compareRatios(left, right) + compareRatios(right, left)).toBe(0);
      }),
    );
  });

  it("does not gain by a round trip, rounded down", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 16n }), positive, (amount, rate) => {
        const back = scale(scale(amount, rate, "down"), invert(rate), "down");
        expect(back <= amount).toBe(true);
      }),
    );
  });
});

describe("ratioFromDecimal", () => {
  it("reads a decimal exactly", () => {
    expect(ratioFromDecimal("1.08695652")).toEqual(ratio(108_695_652n, 100_000_000n));
    expect(ratioFromDecimal("-0.5")).toEqual({ numerator: -1n, denominator: 2n });
    expect(ratioFromDecimal("120048")).toEqual({ numerator: 120_048n, denominator: 1n });
  });

  it.each(["", ".", "1.", ".5", "+1", "1e3", "0x1", " 1", "1,5", "NaN", "--1"])(
    "does not read %j",
    (text) => {
      expect(() => ratioFromDecimal(text)).toThrow(Bug);
    },
  );
});

describe("rateToNumber", () => {
  it.each([
    [ratio(100n, 92n), 1.08695652],
    [ratio(100_000_000n, 833n), 120048.01920768],
    [ratio(833n, 100_000_000n), 0.00000833],
    [ratio(1n, 3n), 0.33333333],
    [ratio(4n, 69n), 0.05797101],
    [ratio(1n, 300n), 0.0033333333],
    [ratio(2n, 3_000_000_000_000n), 6.6666667e-13],
    [ratio(1n, 10n ** 18n), 1e-18],
  ])("prints %o as %d", (rate, shown) => {
    expect(rateToNumber(rate)).toBe(shown);
  });

  it("is positive and exact to eight decimals, below a hundredth to eight significant digits", () => {
    const part = fc.bigInt({ min: 1n, max: 2n ** 63n });
    fc.assert(
      fc.property(part, part, (numerator, denominator) => {
        const rate = ratio(numerator, denominator);
        const shown = rateToNumber(rate);
        expect(shown).toBeGreaterThan(0);
        const exact = ratioToNumber(rate, 40, "half-up");
        const last = exact < 0.01 ? exact * 1e-7 : 1e-8;
        // Half of the last digit, and the precision of a double.
        expect(Math.abs(shown - exact)).toBeLessThanOrEqual(last * 0.5000001 + exact * 1e-15);
      }),
    );
  });

  it("throws for a rate of zero or less", () => {
    expect(() => rateToNumber(ratio(0n, 1n))).toThrow(Bug);
  });
});

describe("ratioToNumber", () => {
  it("prints the requested decimals", () => {
    expect(ratioToNumber(ratio(100n, 92n), 8, "half-up")).toBe(1.08695652);
    expect(ratioToNumber(ratio(-1n, 3n), 2, "half-up")).toBe(-0.33);
    expect(ratioToNumber(ratio(7n, 1n), 0, "down")).toBe(7);
    expect(ratioToNumber(ratio(1n, 1000n), 3, "down")).toBe(0.001);
  });

  it("reproduces decimals of up to eight places", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.nat(99_999_999), (w, f) => {
        const text = `${w}.${String(f).padStart(8, "0")}`;
        expect(ratioToNumber(ratioFromDecimal(text), 8, "half-up")).toBe(Number(text));
      }),
    );
  });
});
