import { millisecondsUntil } from "./host.ts";

/**
 * When a request is sent again. A request that may have taken effect is repeated only where a repetition is harmless: GET, PUT and
 * DELETE, and a POST with an idempotency key. PATCH is never repeated, nor is a signed DELETE, because its signature is valid for one
 * request. A 409 is not repeated, because the object's current state does not allow the call.
 */

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/**
 * When the server asks for a longer pause, the call fails without another try.
 */
const LONGEST_ASKED_DELAY_MS = 60_000;

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export function isRepeatable(
  method: Method,
  { idempotencyKey, isSigned }: { idempotencyKey: string | undefined; isSigned: boolean },
): boolean {
  if (method === "POST") return idempotencyKey !== undefined;
  return method !== "PATCH" && !(method === "DELETE" && isSigned);
}

/** 501 and 505 are not retried, because the next answer would be the same. */
export function isRetryableStatus(status: number): boolean {
  if (status === 501 || status === 505) return false;
  return status === 408 || status === 429 || (status >= 500 && status <= 599);
}

export interface RetryMoment {
  /** The number of failed tries, at least 1. */
  readonly failures: number;
  /** The `Retry-After` header of the last answer. */
  readonly retryAfter: string | null;
  /** A random number from 0 to 1: jitter between callers that failed together. */
  readonly chance: number;
}

/**
 * How long to wait before the next try, or undefined when the server asks for longer than a call
 * may wait.
 */
export function retryDelayMs(moment: RetryMoment): number | undefined {
  const full = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (moment.failures - 1));
  const backoffMs = full / 2 + moment.chance * (full / 2);
  const askedMs = readRetryAfter(moment.retryAfter);
  if (askedMs === undefined) return Math.round(backoffMs);
  if (askedMs > LONGEST_ASKED_DELAY_MS) return undefined;
  return Math.round(Math.max(backoffMs, askedMs + moment.chance * FIRST_DELAY_MS));
}

/** Seconds or an HTTP date, in milliseconds from now; undefined for anything else. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const epochMs = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(epochMs) ? undefined : millisecondsUntil(epochMs);
}
