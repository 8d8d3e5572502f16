/** The retry schedule of deliveries. Pure: time and random numbers are parameters. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The wait after the first, second, … failure; later failures use the last one. */
const DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS] as const;
const LAST_DELAY_MS = 30 * MINUTE_MS;

const JITTER_SHARE = 0.2;

/** Counted from the event, not from the first attempt. An event that was not delivered within this time is given up. */
export const DELIVERY_WINDOW_MS = 7 * DAY_MS;

/** The outcome of an attempt. Without `status` there was no response header. */
export interface AttemptOutcome {
  readonly status: number | undefined;
  /** The header `Retry-After` as received. */
  readonly retryAfter?: string | undefined;
  /** Several events went in one request. */
  readonly isBatch?: boolean;
}

const CONFLICT = 409;

export type AnswerClass = "DELIVERED" | "ENDPOINT_GONE" | "NOT_DELIVERED";

/** 409 means that the receiver has the event, 410 that the endpoint is gone. A redirect is a failure. */
export function classifyAnswer(status: number | undefined): AnswerClass {
  if (status === undefined) return "NOT_DELIVERED";
  if ((status >= 200 && status < 300) || status === 409) return "DELIVERED";
  return status === 410 ? "ENDPOINT_GONE" : "NOT_DELIVERED";
}

/**
 * Whether the receiver has the events of this request. A 409 to a batch does not say which of them the receiver has, so it counts as a
 * failure.
 */
export function isTaken({ status, isBatch = false }: AttemptOutcome): boolean {
  return classifyAnswer(status) === "DELIVERED" && !(isBatch && status === CONFLICT);
}

/** Event types that are delivered at most once, because a late delivery is useless. */
export const SENT_ONCE: readonly string[] = ["TEST", "INCOMING_PAYMENT.PENDING"];

/** Whether a failed delivery of this type is tried again. */
export function isRetried(eventType: string): boolean {
  return !SENT_ONCE.includes(eventType);
}

/** The wait after `failures` failed attempts. `chance` is a random number from 0 to 1. */
export function retryDelayMs(failures: number, chance: number): number {
  const delayMs = DELAYS_MS[failures - 1] ?? LAST_DELAY_MS;
  const spread = Math.min(1, Math.max(0, chance)) * 2 - 1;
  return Math.round(delayMs * (1 + JITTER_SHARE * spread));
}

export interface AttemptRecord {
  readonly eventType: string;
  readonly eventAt: number;
  readonly attemptedAt: number;
  /** The number of failed attempts if this one fails. */
  readonly failures: number;
  readonly chance: number;
  readonly outcome: AttemptOutcome;
}

export type NextStep =
  | { readonly state: "DELIVERED" }
  /** The endpoint gets no events until the platform updates it. */
  | { readonly state: "ENDPOINT_GONE" }
  | { readonly state: "RETRY"; readonly dueAt: number }
  /** Given up; can be sent again by hand. */
  | { readonly state: "FAILED" };

export function afterAttempt(attempt: AttemptRecord): NextStep {
  const answer = classifyAnswer(attempt.outcome.status);
  if (answer === "ENDPOINT_GONE") return { state: answer };
  if (isTaken(attempt.outcome)) return { state: "DELIVERED" };
  if (!isRetried(attempt.eventType)) return { state: "FAILED" };
  const delayMs = retryDelayMs(attempt.failures, attempt.chance);
  const dueAt = attempt.attemptedAt + clampedRetryAfterMs(attempt, delayMs);
  return dueAt > attempt.eventAt + DELIVERY_WINDOW_MS
    ? { state: "FAILED" }
    : { state: "RETRY", dueAt };
}

/** A receiver can ask by Retry-After for a longer wait, up to twice the scheduled one; never for a shorter one. */
function clampedRetryAfterMs({ outcome, attemptedAt }: AttemptRecord, delayMs: number): number {
  if (outcome.status !== 429 && outcome.status !== 503) return delayMs;
  const askedMs = parseRetryAfterMs(outcome.retryAfter, attemptedAt);
  return askedMs === undefined ? delayMs : Math.min(2 * delayMs, Math.max(delayMs, askedMs));
}

const HTTP_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Whole seconds or an HTTP date, as a wait from `now`; undefined for anything else. */
function parseRetryAfterMs(text: string | undefined, now: number): number | undefined {
  const trimmed = text?.trim() ?? "";
  if (/^\d+$/.test(trimmed)) return Number(trimmed) * SECOND_MS;
  if (!HTTP_DATE.test(trimmed)) return undefined;
  const date = Date.parse(trimmed);
  return Number.isNaN(date) ? undefined : date - now;
}
