import { assert } from "../std/assert.ts";

/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly currency: string;
  readonly minor: bigint;
}

/** The largest amount that a caller may name; below 2^53, so a JSON number holds it exactly. */
export const MAX_AMOUNT = 9_000_000_000_000_000;
export const MAX_AMOUNT_MINOR = BigInt(MAX_AMOUNT);

const MAX_PRINTABLE_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/** Writes an amount for the wire. An amount that a JSON number cannot hold is a bug, never a rounded number. */
export function printAmount(minor: bigint): number {
  const isExact = minor >= -MAX_PRINTABLE_MINOR && minor <= MAX_PRINTABLE_MINOR;
  assert(isExact, "an amount on the wire fits a JSON number exactly");
  return Number(minor);
}
