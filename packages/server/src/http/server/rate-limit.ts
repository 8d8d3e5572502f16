/**
 * Token buckets, one per key, in this process.
 *
 * A bucket holds at most `burst` tokens and refills at `perSecond`. A call takes one token, or as many as its weight.
 * In any t seconds a key gets at most burst + perSecond × t tokens. A call that weighs more than `burst` is never
 * admitted. A clock that steps back refills nothing until it advances again.
 *
 * Bounds: at most `maxKeys` buckets. Beyond that a full (idle) bucket is evicted, or else the oldest, which is full
 * again when its key comes back. The buckets are lost with the process, which starts with full ones.
 */
import type { Clock } from "../../std/clock.ts";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface RateLimiter {
  /** Takes `tokens` (one by default) and returns 0, or takes none and returns the seconds until there are enough. */
  take(key: string, tokens?: number): number;
  /** The seconds until a call may take a token; 0 when it may now. Takes none. */
  waitFor(key: string): number;
  /** Returns one token of a call that does not count. */
  refund(key: string): void;
  /**
   * Takes the tokens in any case, down to a debt of `burst`. Returns 0 when the bucket held enough, else the seconds
   * until it holds one again.
   */
  charge(key: string, tokens: number): number;
  /** True when a key's debt exceeds half a burst. */
  isInDebt(key: string): boolean;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** How many of the oldest buckets are scanned for an idle one. */
const SWEEP = 16;

export interface RateLimiterOptions {
  readonly clock: Clock;
  readonly rate: Rate;
  readonly maxKeys: number;
}

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  return new Buckets(options);
}

class Buckets implements RateLimiter {
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #maxKeys: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor({ clock, rate, maxKeys }: RateLimiterOptions) {
    this.#clock = clock;
    this.#rate = rate;
    this.#maxKeys = maxKeys;
  }

  take(key: string, tokens = 1): number {
    const bucket = this.#get(key);
    const seconds = this.#secondsUntil(tokens, bucket);
    if (seconds === 0) bucket.tokens -= tokens;
    return seconds;
  }

  waitFor(key: string): number {
    const bucket = this.#filled(key, this.#clock.now());
    return bucket === undefined ? 0 : this.#secondsUntil(1, bucket);
  }

  refund(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#rate.burst, bucket.tokens + 1);
  }

  charge(key: string, tokens: number): number {
    const bucket = this.#get(key);
    const hasEnough = bucket.tokens >= tokens;
    bucket.tokens = Math.max(bucket.tokens - tokens, -this.#rate.burst);
    return hasEnough ? 0 : Math.max(1, this.#secondsUntil(1, bucket));
  }

  isInDebt(key: string): boolean {
    const { burst } = this.#rate;
    return (this.#filled(key, this.#clock.now())?.tokens ?? burst) < -burst / 2;
  }

  #get(key: string): Bucket {
    const now = this.#clock.now();
    const known = this.#filled(key, now);
    if (known !== undefined) return known;
    if (this.#buckets.size >= this.#maxKeys) this.#makeRoom(now);
    const bucket = { tokens: this.#rate.burst, at: now };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #filled(key: string, now: number): Bucket | undefined {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return undefined;
    const { perSecond, burst } = this.#rate;
    const elapsedS = Math.max(0, now - bucket.at) / 1000;
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedS * perSecond);
    bucket.at = now;
    return bucket;
  }

  #makeRoom(now: number): void {
    let seen = 0;
    let oldest: string | undefined;
    for (const key of this.#buckets.keys()) {
      oldest ??= key;
      const bucket = this.#filled(key, now);
      if (bucket !== undefined && bucket.tokens >= this.#rate.burst) {
        this.#buckets.delete(key);
        return;
      }
      seen += 1;
      if (seen === SWEEP) break;
    }
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }

  #secondsUntil(tokens: number, bucket: Bucket): number {
    if (bucket.tokens >= tokens) return 0;
    return Math.max(1, Math.ceil((tokens - bucket.tokens) / this.#rate.perSecond));
  }
}
