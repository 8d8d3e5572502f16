/**
 * Limits the tries of a key, such as an address, that fail. A try takes a place before its end is known, so that many at
 * once are counted as many; one that succeeds gives it back. A try without a place waits for one that is
 * held by an undecided try, so that correct credentials are not refused because many tries come at once.
 *
 * Bounds: the wait, to a second. Memory holds keys whose tries are under way, and no others.
 */
import { Refusal } from "../../engine/refusal.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { rateLimited } from "../server/errors.ts";
import type { RateLimiter } from "../server/rate-limit.ts";

export interface FailedTries {
  /** Makes the try, or throws RATE_LIMITED. One that is refused has failed, and so has what `isFailure` says of an answer. */
  run<T>(key: string, attempt: () => Promise<T>, isFailure?: (answer: T) => boolean): Promise<T>;
}

const LONGEST_WAIT_MS = 1_000;

interface Underway {
  tries: number;
  /** The callers that wait for a place; each is called once. */
  readonly waiting: Set<() => void>;
}

export function createFailedTries(options: {
  readonly limiter: RateLimiter;
  readonly clock: Clock;
}): FailedTries {
  const { limiter, clock } = options;
  const underway = new Map<string, Underway>();

  /** Until a place may be free, or the wait is over. */
  function oneEnds({ waiting }: Underway, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => undefined;
      const tell = () => {
        waiting.delete(tell);
        cancel();
        resolve();
      };
      waiting.add(tell);
      cancel = clock.after(waitMs, tell);
    });
  }

  async function begin(key: string): Promise<Underway> {
    const until = clock.now() + LONGEST_WAIT_MS;
    for (;;) {
      const seconds = limiter.take(key);
      const known = underway.get(key);
      if (seconds === 0) {
        const begun = known ?? { tries: 0, waiting: new Set() };
        begun.tries += 1;
        underway.set(key, begun);
        return begun;
      }
      const waitMs = until - clock.now();
      if (known === undefined || waitMs <= 0) throw rateLimited(seconds);
      await oneEnds(known, waitMs);
    }
  }

  function end(key: string, known: Underway, hasFailed: boolean): void {
    known.tries -= 1;
    if (!hasFailed) limiter.refund(key);
    const [first] = known.waiting;
    if (known.tries > 0) {
      if (!hasFailed) first?.();
      return;
    }
    underway.delete(key);
    for (const tell of [...known.waiting]) tell();
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
        // A fault of ours says nothing about the try.
        hasFailed = error instanceof Refusal;
        throw error;
      } finally {
        end(key, known, hasFailed);
      }
    },
  };
}
