import { assert } from "../std/assert.ts";

/**
 * `down` rounds towards zero, `up` away from zero, `half-up` to the nearest with halves away from zero. Negative numbers
 * round symmetrically.
 */
export type Rounding = "down" | "up" | "half-up";

/** `amount × numerator ÷ denominator`, computed exactly and rounded once. All divisions of money use this function. */
export function mulDiv(
  amount: bigint,
  numerator: bigint,
  denominator: bigint,
  rounding: Rounding,
): bigint {
  assert(denominator !== 0n, "a division is never by zero");
  const product = amount * numerator;
  const negative = product < 0n !== denominator < 0n;
  const top = product < 0n ? -product : product;
  const bottom = denominator < 0n ? -denominator : denominator;
  const whole = top / bottom;
  const size = roundsAway(top % bottom, bottom, rounding) ? whole + 1n : whole;
  return negative ? -size : size;
}

function roundsAway(rest: bigint, bottom: bigint, rounding: Rounding): boolean {
  switch (rounding) {
    case "down":
      return false;
    case "up":
      return rest > 0n;
    case "half-up":
      return rest * 2n >= bottom;
  }
}
