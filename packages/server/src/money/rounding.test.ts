import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bug } from "../std/assert.ts";
import { mulDiv, type Rounding } from "./rounding.ts";

const roundings: readonly Rounding[] = ["down", "up", "half-up"];

describe("mulDiv", () => {
  it.each<[numerator: bigint, denominator: bigint, expected: Record<Rounding, bigint>]>([
    [0n, 7n, { down: 0n, up: 0n, "half-up": 0n }],
    [14n, 7n, { down: 2n, up: 2n, "half-up": 2n }],
    [1n, 3n, { down: 0n, up: 1n, "half-up": 0n }],
    [2n, 3n, { down: 0n, up: 1n, "half-up": 1n }],
    [1n, 2n, { down: 0n, up: 1n, "half-up": 1n }],
    [3n, 2n, { down: 1n, up: 2n, "half-up": 2n }],
    [5n, 2n, { down: 2n, up: 3n, "half-up": 3n }],
    [-1n, 2n, { down: 0n, up: -1n, "half-up": -1n }],
    [-5n, 2n, { down: -2n, up: -3n, "half-up": -3n }],
    [5n, -2n, { down: -2n, up: -3n, "half-up": -3n }],
    [-5n, -3n, { down: 1n, up: 2n, "half-up": 2n }],
  ])("rounds %s over %s as each rounding says", (numerator, denominator, expected) => {
    for (const rounding of roundings) {
      expect(mulDiv(numerator, 1n, denominator, rounding), rounding).toBe(expected[rounding]);
      expect(mulDiv(1n, numerator, denominator, rounding), rounding).toBe(expected[rounding]);
    }
  });

  it("rounds the product, not its parts", () => {
    expect(mulDiv(99_990n, 3n, 1000n, "half-up")).toBe(300n);
    expect(mulDiv(9_000_000_000_000_000n, 9_999_999_999n, 10_000_000_000n, "down")).toBe(
      8_999_999_999_100_000n,
    );
  });

  it("does not divide by zero", () => {
    expect(() => mulDiv(1n, 1n, 0n, "down")).toThrow(Bug);
  });

  const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
  const divisor = fc.bigInt({ min: 1n, max: 10n ** 20n });

  it("differs from the exact quotient by less than a unit, and by half at most with half-up", () => {
    fc.assert(
      fc.property(whole, whole, divisor, fc.constantFrom(...roundings), (a, n, d, rounding) => {
        const error = mulDiv(a, n, d, rounding) * d - a * n;
        const size = error < 0n ? -error : error;
        expect(size < d).toBe(true);
        if (rounding.startsWith("half")) expect(size * 2n <= d).toBe(true);
      }),
    );
  });

  it("keeps down ≤ half-up ≤ up in size, at most one apart", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), divisor, (a, d) => {
        const down = mulDiv(a, 1n, d, "down");
        const half = mulDiv(a, 1n, d, "half-up");
        const up = mulDiv(a, 1n, d, "up");
        expect(down <= half && half <= up && up - down <= 1n).toBe(true);
      }),
    );
  });

  it("rounds a negative number symmetrically to its positive one", () => {
    fc.assert(
      fc.property(whole, whole, divisor, fc.constantFrom(...roundings), (a, n, d, rounding) => {
        const value = mulDiv(a, n, d, rounding);
        expect(mulDiv(-a, n, d, rounding)).toBe(-value);
        expect(mulDiv(a, n, -d, rounding)).toBe(-value);
      }),
    );
  });
});
