import { assert } from "../std/assert.ts";
import { toWireCurrency, type WireCurrency } from "./currency.ts";

/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly currency: string;
  readonly minor: bigint;
}

/** The largest amount that a caller may name; below 2^53, so a JSON number holds it exactly. */
export const MAX_AMOUNT_MINOR = 9_000_000_000_000_000n;

const MAX_PRINTABLE_MINOR = BigInt(Number.MAX_SAFE_INTEGER);

/** Reads an amount from the wire: a whole JSON number from 1 to the maximum, and nothing else. */
export function parseAmount(value: unknown, maxMinor = MAX_AMOUNT_MINOR): bigint | undefined {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) return undefined;
  const minor = BigInt(value);
  return minor >= 1n && minor <= maxMinor ? minor : undefined;
}

/** Whether a JSON number holds this amount exactly. */
export function isPrintable(minor: bigint): boolean {
  return minor >= -MAX_PRINTABLE_MINOR && minor <= MAX_PRINTABLE_MINOR;
}

/** Writes an amount for the wire. An amount that a JSON number cannot hold is a bug, never a rounded number. */
export function printAmount(minor: bigint): number {
  assert(isPrintable(minor), "an amount on the wire fits a JSON number exactly");
  return Number(minor);
}

/** An amount with its currency, as answers and events carry it. */
export type WireMoney = { readonly amount: number; readonly currency: WireCurrency };

export function toWireMoney({ currency, minor }: Money): WireMoney {
  return { amount: printAmount(minor), currency: toWireCurrency(currency) };
}
