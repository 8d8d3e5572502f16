import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import { MAX_AMOUNT_MINOR, printAmount } from "./money.ts";

describe("printAmount", () => {
  it("prints whatever a JSON number holds exactly, zero and negatives included", () => {
    expect(printAmount(0n)).toBe(0);
    expect(printAmount(-250n)).toBe(-250);
    expect(printAmount(9_007_199_254_740_991n)).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("prints what reads back as the same amount", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }), (minor) => {
        expect(BigInt(JSON.parse(JSON.stringify(printAmount(minor))))).toBe(minor);
      }),
    );
  });

  it("refuses to print what it would have to round", () => {
    expect(() => printAmount(9_007_199_254_740_992n)).toThrow(Bug);
    expect(() => printAmount(-9_007_199_254_740_992n)).toThrow(Bug);
  });
});
