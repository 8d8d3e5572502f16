import type { Rate } from "./rate-limit.ts";

/** Limits on what callers can consume. */
export interface HttpLimits {
  readonly bodyBytes: number;
  /** The memory of all bodies in progress that came in more than one chunk. */
  readonly bodyBytesInAll: number;
  /** The memory of all answers that callers have not read yet. */
  readonly answerBytesInAll: number;
  readonly headBytes: number;
  /** The length of one path segment, decoded. */
  readonly pathSegmentChars: number;
  readonly connections: number;
  /** The time from the first byte of a body to the last. Forms have limits of their own. */
  readonly requestTimeoutMs: number;
  readonly formTimeoutMs: number;
  /** The time between two chunks of a form. */
  readonly formIdleMs: number;
  /** Concurrent forms: in total, and per platform. */
  readonly forms: number;
  readonly formsOfPlatform: number;
  readonly headTimeoutMs: number;
  /** How often the timeouts of heads and requests are checked. */
  readonly connectionsCheckMs: number;
  /** The time between two requests of a connection. */
  readonly keepAliveTimeoutMs: number;
  /** The time without a byte in either direction. */
  readonly idleConnectionMs: number;
  readonly tokenRate: Rate;
  /** Per address. */
  readonly failedLoginRate: Rate;
  /** Requests without valid credentials, per address. */
  readonly guestRate: Rate;
  /** Hosted pages, per address. */
  readonly hostedPageRate: Rate;
  /** Failed device codes, per address. */
  readonly failedRedeemRate: Rate;
  /** Failed proofs of people, per address. */
  readonly failedSourceRate: Rate;
  /** Failed proofs of people, per passkey or link. */
  readonly failedProofRate: Rate;
  /** The maximum number of keys (tokens, agents or addresses) in a rate limiter. */
  readonly rateKeys: number;
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 256 * 1024,
  bodyBytesInAll: 256 * 1024 * 1024,
  answerBytesInAll: 256 * 1024 * 1024,
  headBytes: 16 * 1024,
  pathSegmentChars: 1_024,
  connections: 10_000,
  requestTimeoutMs: 30_000,
  formTimeoutMs: 10 * 60_000,
  formIdleMs: 15_000,
  forms: 64,
  formsOfPlatform: 16,
  headTimeoutMs: 10_000,
  connectionsCheckMs: 2_000,
  keepAliveTimeoutMs: 65_000,
  idleConnectionMs: 70_000,
  tokenRate: { perSecond: 20_000, burst: 40_000 },
  failedLoginRate: { perSecond: 1, burst: 60 },
  guestRate: { perSecond: 300, burst: 3_000 },
  hostedPageRate: { perSecond: 50, burst: 500 },
  failedRedeemRate: { perSecond: 5 / 60, burst: 5 },
  failedSourceRate: { perSecond: 60 / 600, burst: 60 },
  failedProofRate: { perSecond: 10 / 600, burst: 10 },
  rateKeys: 100_000,
};
