import { assert } from "../std/assert.ts";

/**
 * Where the rest of a division goes. `down` is towards zero and `up` away from it; a half goes away from zero
 * (`half-up`) or to the even neighbour (`half-even`). A negative number rounds as its positive twin does.
 */
export type Rounding = "down" | "up" | "half-up" | "half-even";

export const roundings: readonly Rounding[] = ["down", "up", "half-up", "half-even"];

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
  const quotient = { whole: top / bottom, rest: top % bottom, bottom };
  const size = roundsAway(quotient, rounding) ? quotient.whole + 1n : quotient.whole;
  return negative ? -size : size;
}

interface Quotient {
  readonly whole: bigint;
  readonly rest: bigint;
  readonly bottom: bigint;
}

function roundsAway({ whole, rest, bottom }: Quotient, rounding: Rounding): boolean {
  switch (rounding) {
    case "down":
      return false;
    case "up":
      return rest > 0n;
    case "half-up":
      return rest * 2n >= bottom;
    case "half-even":
      return rest * 2n > bottom || (rest * 2n === bottom && whole % 2n === 1n);
  }
}
