/**
 * Logs failed attempts: for each endpoint the first one at once, and after that at most one line a minute with the count. An endpoint's
 * path and query may hold a secret of the receiver, so a line names its origin alone.
 *
 * Bounds: the number of endpoints a minute; attempts at further ones are counted together.
 */
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import { parseUrl } from "../std/url.ts";

export interface FailedAttempt {
  readonly platformId: string;
  readonly endpoint: string;
  /** The result in a few words of this server, with no text of the receiver. */
  readonly outcome: string;
}

export type FailedAttemptLog = (attempt: FailedAttempt) => void;

const WINDOW_MS = 60_000;
export const ENDPOINTS_A_WINDOW = 1_024;

interface Unlogged {
  count: number;
  last: FailedAttempt;
}

export function createFailedAttemptLog({
  log,
  clock,
}: {
  readonly log: Log;
  readonly clock: Clock;
}): FailedAttemptLog {
  const windows = new Map<string, Unlogged>();

  function write({ platformId, endpoint, outcome }: FailedAttempt, count: number): void {
    const origin = parseUrl(endpoint)?.origin;
    log.warn({ platformId, origin, outcome, count }, "webhook attempts failed");
  }

  function endWindow(key: string): void {
    const window = windows.get(key);
    if (window === undefined || window.count === 0) {
      windows.delete(key);
      return;
    }
    write(window.last, window.count);
    window.count = 0;
    clock.after(WINDOW_MS, () => endWindow(key));
  }

  return (attempt) => {
    const own = `${attempt.platformId} ${attempt.endpoint}`;
    const key = windows.has(own) || windows.size < ENDPOINTS_A_WINDOW ? own : OTHERS;
    const window = windows.get(key);
    if (window !== undefined) {
      window.count++;
      window.last = attempt;
      return;
    }
    windows.set(key, { count: 0, last: attempt });
    write(attempt, 1);
    clock.after(WINDOW_MS, () => endWindow(key));
  };
}

/** The key for further endpoints; no endpoint has it. */
const OTHERS = "others";
