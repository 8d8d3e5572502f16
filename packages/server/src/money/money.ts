import { assert } from "../std/assert.ts";

export interface Money {
  readonly currency: string;
  readonly minor: bigint;
}

/** The largest amount in a request; below 2^53, so a JSON number holds it exactly. */
export const MAX_AMOUNT = 9_000_000_000_000_000;
export const MAX_AMOUNT_MINOR = BigInt(MAX_AMOUNT);

/** In whole units with all decimals: `12.50`. */
export function decimalOf(minor: bigint, decimals: number): string {
  const digits = minor.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const MAX_PRINTABLE_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/** Converts an amount to a JSON number. An amount beyond 2^53 − 1 is a bug and never rounded. */
export function printAmount(minor: bigint): number {
  const isExact = minor >= -MAX_PRINTABLE_MINOR && minor <= MAX_PRINTABLE_MINOR;
  assert(isExact, "an amount on the wire fits a JSON number exactly");
  return Number(minor);
}
