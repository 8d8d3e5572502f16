import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import { isPrintable, MAX_AMOUNT_MINOR, parseAmount, printAmount, toWireMoney } from "./money.ts";

describe("parseAmount", () => {
  it("reads whole numbers from 1 to the maximum", () => {
    expect(parseAmount(1)).toBe(1n);
    expect(parseAmount(1e2)).toBe(100n);
    expect(parseAmount(9_000_000_000_000_000)).toBe(MAX_AMOUNT_MINOR);
    expect(parseAmount(100, 100n)).toBe(100n);
  });

  it.each([
    0,
    -0,
    -1,
    0.5,
    1.000001,
    9_000_000_000_000_001,
    Number.MAX_SAFE_INTEGER,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "5",
    "",
    true,
    null,
    undefined,
    [5],
    {},
    5n,
  ])("does not read %s", (value) => {
    expect(parseAmount(value)).toBeUndefined();
  });

  it("holds a lower maximum", () => {
    expect(parseAmount(101, 100n)).toBeUndefined();
  });

  it("reads back what was printed", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: MAX_AMOUNT_MINOR }), (minor) => {
        expect(parseAmount(JSON.parse(JSON.stringify(printAmount(minor))))).toBe(minor);
      }),
    );
  });
});

describe("printAmount", () => {
  it("prints whatever a JSON number holds exactly, zero and negatives included", () => {
    expect(printAmount(0n)).toBe(0);
    expect(printAmount(-250n)).toBe(-250);
    expect(printAmount(9_007_199_254_740_991n)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("refuses to print what it would have to round", () => {
    expect(isPrintable(9_007_199_254_740_992n)).toBe(false);
    expect(() => printAmount(9_007_199_254_740_992n)).toThrow(Bug);
    expect(() => printAmount(-9_007_199_254_740_992n)).toThrow(Bug);
  });
});

describe("toWireMoney", () => {
  it("spells out the currency", () => {
    expect(toWireMoney({ currency: "USD", minor: 1250n })).toEqual({
      amount: 1250,
      currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
    });
  });
});
