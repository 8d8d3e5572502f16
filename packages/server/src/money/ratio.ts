import { assert } from "../std/assert.ts";
import { mulDiv, type Rounding } from "./rounding.ts";

/** An exact rate or share: lowest terms, positive denominator. Build one with `ratio`. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A price that was written in digits: its exact value, and the digits. */
export interface Multiplier {
  readonly value: Ratio;
  readonly digits: string;
}

export function ratio(numerator: bigint, denominator: bigint): Ratio {
  assert(denominator !== 0n, "a ratio has a denominator");
  const factor = greatestCommonDivisor(numerator, denominator);
  const sign = denominator < 0n ? -1n : 1n;
  return { numerator: (sign * numerator) / factor, denominator: (sign * denominator) / factor };
}

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

/** The exact value of a plain decimal such as `1.08695652`; no exponent, no leading plus. */
export function ratioFromDecimal(text: string): Ratio {
  const [, sign = "", whole = "", fraction = ""] = DECIMAL.exec(text) ?? [];
  assert(whole !== "", `${text} is a decimal number`);
  return ratio(BigInt(`${sign}${whole}${fraction}`), 10n ** BigInt(fraction.length));
}

export function invert({ numerator, denominator }: Ratio): Ratio {
  return ratio(denominator, numerator);
}

export function multiply(left: Ratio, right: Ratio): Ratio {
  return ratio(left.numerator * right.numerator, left.denominator * right.denominator);
}

export function compareRatios(left: Ratio, right: Ratio): -1 | 0 | 1 {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export function scale(amount: bigint, by: Ratio, rounding: Rounding): bigint {
  return mulDiv(amount, by.numerator, by.denominator, rounding);
}

/** The ratio as a JSON number with this many decimals. For display only; amounts are never computed from it. */
export function ratioToNumber(value: Ratio, decimals: number, rounding: Rounding): number {
  const scaled = mulDiv(value.numerator, 10n ** BigInt(decimals), value.denominator, rounding);
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, "0");
  const split = digits.length - decimals;
  return Number(`${scaled < 0n ? "-" : ""}${digits.slice(0, split)}.${digits.slice(split)}`);
}

const RATE_DECIMALS = 8;
/** Below this, eight decimals would show fewer than seven digits. */
const SMALL_RATE: Ratio = { numerator: 1n, denominator: 100n };
const EIGHT_DIGITS = 10_000_000n;

/**
 * An exchange rate for the API: `leastDecimals` decimals, and at least eight significant digits when the rate is below a
 * hundredth.
 */
export function rateToNumber(rate: Ratio, leastDecimals = RATE_DECIMALS): number {
  const { numerator, denominator } = rate;
  assert(numerator > 0n, "a rate is above zero");
  let decimals = leastDecimals;
  if (compareRatios(rate, SMALL_RATE) < 0) {
    while (numerator * 10n ** BigInt(decimals) < EIGHT_DIGITS * denominator) decimals += 1;
  }
  return ratioToNumber(rate, decimals, "half-up");
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let a = left < 0n ? -left : left;
  let b = right < 0n ? -right : right;
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
