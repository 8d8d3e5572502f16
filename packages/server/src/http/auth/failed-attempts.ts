/**
 * Limits failed attempts per key, such as an address. An attempt takes a token of the bucket before its result is
 * known, so that concurrent attempts are all counted. A successful attempt returns its token. An attempt that finds the
 * bucket empty waits for an attempt in progress, so that correct credentials are not refused because many requests come
 * at once.
 *
 * Bounds: an attempt waits one second at most. Memory holds only keys with attempts in progress.
 */

import { createHmac } from "node:crypto";
import { Refusal } from "../../engine/refusal.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { rateLimited } from "../server/errors.ts";
import type { RateLimiter } from "../server/rate-limit.ts";

export interface FailedAttemptLimiter {
  /**
   * Runs the attempt, or throws RATE_LIMITED. The attempt fails when it throws a `Refusal` or when `isFailure` is true
   * of its answer.
   */
  run<T>(key: string, attempt: () => Promise<T>, isFailure?: (answer: T) => boolean): Promise<T>;
}

const LONGEST_WAIT_MS = 1_000;

interface InProgress {
  attempts: number;
  /** Attempts that wait for a token; each callback is called once. */
  readonly waiting: Set<() => void>;
}

export function createFailedAttemptLimiter(options: {
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}): FailedAttemptLimiter {
  const { limiter, clock } = options;
  const inProgress = new Map<string, InProgress>();

  /** Resolves when an attempt ends, or after `waitMs`. */
  function waitForEnd({ waiting }: InProgress, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => undefined;
      const wake = () => {
        waiting.delete(wake);
        cancel();
        resolve();
      };
      waiting.add(wake);
      cancel = clock.after(waitMs, wake);
    });
  }

  async function begin(key: string): Promise<InProgress> {
    const until = clock.now() + LONGEST_WAIT_MS;
    for (;;) {
      const seconds = limiter.take(key);
      const known = inProgress.get(key);
      if (seconds === 0) {
        const started = known ?? { attempts: 0, waiting: new Set() };
        started.attempts += 1;
        inProgress.set(key, started);
        return started;
      }
      const waitMs = until - clock.now();
      if (known === undefined || waitMs <= 0) throw rateLimited(seconds);
      await waitForEnd(known, waitMs);
    }
  }

  function end(key: string, known: InProgress, hasFailed: boolean): void {
    known.attempts -= 1;
    if (!hasFailed) limiter.refund(key);
    const [first] = known.waiting;
    if (known.attempts > 0) {
      if (!hasFailed) first?.();
      return;
    }
    inProgress.delete(key);
    for (const wake of [...known.waiting]) wake();
  }

  return {
    async run(key, attempt, isFailure = () => false) {
      const known = await begin(key);
      let hasFailed = true;
      try {
        const answer = await attempt();
        hasFailed = isFailure(answer);
        return answer;
      } catch (error) {
        // An internal error says nothing about the credentials.
        hasFailed = error instanceof Refusal;
        throw error;
      } finally {
        end(key, known, hasFailed);
      }
    },
  };
}

interface SharedFailures {
  /** The failures that have not expired; undefined when there are none. */
  find(keyHash: string): Promise<{ readonly count: number; readonly until: number } | undefined>;
  note(keyHash: string): Promise<void>;
}

/**
 * Limits failed attempts per key over all servers. The shared count is checked first and this server's own limiter second, so attempts at
 * one server are limited exactly. Attempts that run on several servers at the same moment may exceed the limit by their number.
 */
export function limitedByAllServers(
  local: FailedAttemptLimiter,
  options: {
    readonly failures: SharedFailures;
    readonly most: number;
    /** The HMAC key that hashes the keys of attempts, which may be addresses. */
    readonly key: Buffer;
    readonly now: () => number;
  },
): FailedAttemptLimiter {
  const { failures, most, key: secret, now } = options;
  return {
    async run(key, attempt, isFailure = () => false) {
      const keyHash = createHmac("sha256", secret).update(key).digest("hex");
      const found = await failures.find(keyHash);
      if (found !== undefined && found.count >= most)
        throw rateLimited(Math.max(1, Math.ceil((found.until - now()) / 1000)));
      const noted = async () => {
        try {
          const answer = await attempt();
          if (isFailure(answer)) await failures.note(keyHash);
          return answer;
        } catch (error) {
          // A RATE_LIMITED refusal from an inner limiter is not a failed attempt.
          if (error instanceof Refusal && error.code !== "RATE_LIMITED")
            await failures.note(keyHash);
          throw error;
        }
      };
      return local.run(key, noted, isFailure);
    },
  };
}
