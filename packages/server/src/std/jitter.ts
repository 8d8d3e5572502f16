import { randomInt } from "node:crypto";

/** A random fraction in [0, 1), which spreads retries that would otherwise coincide. */
export function jitterFraction(): number {
  return randomInt(1_000_000) / 1_000_000;
}
