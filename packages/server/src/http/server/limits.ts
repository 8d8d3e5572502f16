import type { Rate } from "./rate-limit.ts";

/** What one caller can cost at most. */
export interface HttpLimits {
  readonly bodyBytes: number;
  /** Of all bodies that are on their way, in more than one piece each. */
  readonly bodyBytesInAll: number;
  /** Of all answers that callers have not read yet. */
  readonly answerBytesInAll: number;
  readonly headBytes: number;
  /** One segment of a path, decoded. */
  readonly pathSegmentChars: number;
  readonly connections: number;
  /** From the first byte of a body to the last; forms have limits of their own. */
  readonly requestTimeoutMs: number;
  readonly formTimeoutMs: number;
  /** Between two stretches of a form. */
  readonly formIdleMs: number;
  /** Forms under way at once: in all, and of one platform. */
  readonly forms: number;
  readonly formsOfPlatform: number;
  readonly headTimeoutMs: number;
  /** How often the times for a head and for a whole request are looked at. */
  readonly connectionsCheckMs: number;
  /** Between two requests of a connection. */
  readonly keepAliveTimeoutMs: number;
  /** Without a byte in either direction. */
  readonly idleConnectionMs: number;
  readonly tokenRate: Rate;
  /** Of one address. */
  readonly failedLoginRate: Rate;
  /** Requests without valid credentials, of one address; see strangers.ts. */
  readonly strangerRate: Rate;
  /** Hosted pages, of one address. */
  readonly hostedPageRate: Rate;
  /** Device codes that did not work, of one address. */
  readonly failedRedeemRate: Rate;
  /** How many tokens and addresses are counted at once. */
  readonly rateKeys: number;
}

export const defaultLimits: HttpLimits = {
  bodyBytes: 256 * 1024,
  bodyBytesInAll: 256 * 1024 * 1024,
  answerBytesInAll: 256 * 1024 * 1024,
  headBytes: 16 * 1024,
  pathSegmentChars: 512,
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
  strangerRate: { perSecond: 300, burst: 3_000 },
  hostedPageRate: { perSecond: 50, burst: 500 },
  failedRedeemRate: { perSecond: 5 / 60, burst: 5 },
  rateKeys: 100_000,
};
