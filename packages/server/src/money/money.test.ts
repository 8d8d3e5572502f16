import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import { MAX_AMOUNT_MINOR, printAmount } from "./money.ts";

describe("printAmount", () => {
  it("prints amounts that a JSON number holds exactly, with zero and negatives", () => {
    expect(printAmount(0n)).toBe(0);
    expect(printAmount(-250n)).toBe(-250);
    expect(printAmount(9_007_199_254_740_991n)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("prints a number that parses to the same amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }), (minor) => {
        expect(BigInt(JSON.parse(JSON.stringify(printAmount(minor))))).toBe(minor);
      }),
    );
  });

  it("throws for an amount that it would have to round", () => {
    expect(() => printAmount(9_007_199_254_740_992n)).toThrow(Bug);
    expect(() => printAmount(-9_007_199_254_740_992n)).toThrow(Bug);
  });
});
