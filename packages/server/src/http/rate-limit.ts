/**
 * Token buckets, one a key, in this process.
 *
 * A bucket holds at most `burst` and fills at `perSecond`; a call takes one token, or as many as its work weighs. In any t
 * seconds a key gets at most burst + perSecond × t tokens. A call that weighs more than `burst` is never admitted. A clock that steps back fills nothing until it moves on again.
 * Bounded: at most `maxKeys` buckets; beyond that a full (idle) one is dropped, or else the oldest, which starts full
 * again when its key comes back. Lost with the process, which then starts with full buckets.
 */
import type { Clock } from "../std/clock.ts";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimiter {
  /** Takes `tokens` (one by default) and answers 0; or takes none and answers the whole seconds until there are enough. */
  take(key: string, tokens?: number): number;
  /** Gives one back that was taken for nothing. */
  refund(key: string): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

const SWEEP = 16;

export function createRateLimiter(options: {
  readonly clock: Clock;
  readonly rate: Rate;
  readonly maxKeys: number;
}): RateLimiter {
  const { clock, rate, maxKeys } = options;
  const buckets = new Map<string, Bucket>();

  function filled(key: string, now: number): Bucket | undefined {
    const bucket = buckets.get(key);
    if (bucket === undefined) return undefined;
    if (now > bucket.at) {
      bucket.tokens = Math.min(
        rate.burst,
        bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond,
      );
    }
    bucket.at = now;
    return bucket;
  }

  function add(key: string, now: number): Bucket {
    if (buckets.size >= maxKeys) makeRoom(now);
    const bucket = { tokens: rate.burst, at: now };
    buckets.set(key, bucket);
    return bucket;
  }

  function makeRoom(now: number): void {
    let seen = 0;
    let oldest: string | undefined;
    for (const key of buckets.keys()) {
      oldest ??= key;
      const bucket = filled(key, now);
      if (bucket !== undefined && bucket.tokens >= rate.burst) {
        buckets.delete(key);
        return;
      }
      seen += 1;
      if (seen === SWEEP) break;
    }
    if (oldest !== undefined) buckets.delete(oldest);
  }

  function secondsUntil(tokens: number, bucket: Bucket): number {
    if (bucket.tokens >= tokens) return 0;
    return Math.max(1, Math.ceil((tokens - bucket.tokens) / rate.perSecond));
  }

  return {
    take(key, tokens = 1) {
      const now = clock.now();
      const bucket = filled(key, now) ?? add(key, now);
      const seconds = secondsUntil(tokens, bucket);
      if (seconds === 0) bucket.tokens -= tokens;
      return seconds;
    },
    refund(key) {
      const bucket = buckets.get(key);
      if (bucket !== undefined) bucket.tokens = Math.min(rate.burst, bucket.tokens + 1);
    },
  };
}
