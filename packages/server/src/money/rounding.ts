import { assert } from "../std/assert.ts";

/**
 * Where the rest of a division goes. `down` is towards zero and `up` away from it, `half-up` to the nearer one, a half away
 * from zero. A negative number rounds as its positive twin does.
 */
export type Rounding = "down" | "up" | "half-up";

/** The one division of money: `amount × numerator ÷ denominator`, exact until it is rounded, once, as said. */
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
