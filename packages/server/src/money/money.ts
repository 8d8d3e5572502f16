import { assert } from "../std/assert.ts";

export interface Money {
  readonly currency: string;
  readonly minor: bigint;
}

/** The largest amount in a request; below 2^53, so a JSON number holds it exactly. */
export const MAX_AMOUNT = 9_000_000_000_000_000;
export const MAX_AMOUNT_MINOR = BigInt(MAX_AMOUNT);

const MAX_PRINTABLE_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/** Converts an amount to a JSON number. An amount beyond 2^53 − 1 is a bug and never rounded. */
export function printAmount(minor: bigint): number {
  const isExact = minor >= -MAX_PRINTABLE_MINOR && minor <= MAX_PRINTABLE_MINOR;
  assert(isExact, "an amount on the wire fits a JSON number exactly");
  return Number(minor);
}

/** The amount in whole units, such as `12.50`. */
export function decimalText(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, "0");
  const at = digits.length - decimals;
  const sign = minor < 0n ? "-" : "";
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, at)}.${digits.slice(at)}`;
}
