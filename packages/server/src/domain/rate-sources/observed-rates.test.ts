import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasMoved, plainRate } from "./observed-rates.ts";

describe("a value", () => {
  it.each([
    ["1.0850", "1.0850"],
    ["007", "7"],
    ["0.001", "0.001"],
    ["1e3", "1000"],
    ["1.5E+2", "150"],
    ["1.5e-7", "0.00000015"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["1234567890123456789012345678900000", "1234567890123456789012345678900000"],
    ["0.00000000000000000000000000000000001", "0.00000000000000000000000000000000001"],
  ])("%s is the rate %s", (text, rate) => {
    expect(plainRate(text)).toBe(rate);
  });

  it.each([
    ["0"],
    ["0.000"],
    ["-1"],
    ["+1"],
    ["1."],
    [".5"],
    ["1,5"],
    ["NaN"],
    ["Infinity"],
    [""],
    [" 1"],
    ["0x1"],
    ["1e400"],
    ["1e9999"],
    ["1e-400"],
    ["1e31"],
    ["1234567890123456789012345678901"],
    ["1.1\n"],
  ])("%s is none", (text) => {
    expect(plainRate(text)).toBeUndefined();
  });

  it("keeps every digit, wherever the point is", () => {
    const digits = fc.bigInt({ min: 1n, max: 10n ** 30n - 1n });
    fc.assert(
      fc.property(digits, fc.integer({ min: -25, max: 25 }), (number, exponent) => {
        const plain = plainRate(`${number}e${exponent}`);
        const [whole = "", fraction = ""] = (plain ?? "").split(".");
        // number × 10^exponent = plain, in whole numbers.
        const scaled = BigInt(`${whole}${fraction}`) * 10n ** BigInt(25 - fraction.length + 25);
        expect(scaled).toBe(number * 10n ** BigInt(exponent + 50));
      }),
    );
  });
});

describe("a move", () => {
  it("is measured from the last rate, without rounding", () => {
    expect(hasMoved("1.0850", "1.302", 20)).toBe(false);
    expect(hasMoved("1.0850", "1.30200000000000000000001", 20)).toBe(true);
    expect(hasMoved("1.0850", "0.868", 20)).toBe(false);
    expect(hasMoved("1.0850", "0.86799999999999999999999", 20)).toBe(true);
    expect(hasMoved("1", "1", 1)).toBe(false);
  });

  it("agrees with whole numbers", () => {
    const cents = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(cents, cents, fc.integer({ min: 1, max: 1_000 }), (from, to, percent) => {
        const text = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, "0")}`;
        const off = from > to ? from - to : to - from;
        expect(hasMoved(text(from), text(to), percent)).toBe(off * 100n > from * BigInt(percent));
      }),
    );
  });
});
