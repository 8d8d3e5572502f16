import { randomInt } from "node:crypto";

/** A fraction between 0 and 1, so that those who wait for the same thing do not come back together. */
export function jitterFraction(): number {
  return randomInt(1_000_000) / 1_000_000;
}
