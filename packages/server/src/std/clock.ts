/**
 * The only module that reads the host's time or sets a timer. Other modules receive a `Clock`, so tests move time instead
 * of waiting for it.
 */
export interface Clock {
  now(): number;
  /** Runs `task` once after `delayMs`; the returned function cancels it. A pending timer does not keep the process alive. */
  after(delayMs: number, task: () => void): Cancel;
}

export type Cancel = () => void;

/** The latest time of any clock. The API has four-digit years only, and due times after this one must still fit. */
export const END_OF_TIME = Date.UTC(9000, 0);

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Keeps the process alive until the returned function is called, for a command that waits for nothing but timers of a clock. */
export function stayAlive(): Cancel {
  const timer = setInterval(() => undefined, 60_000);
  return () => clearInterval(timer);
}

export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}

/** The result of the work, or of `late` when the work takes longer than `limitMs`. The work itself is not cancelled. */
export async function within<T>(
  work: Promise<T>,
  {
    clock,
    limitMs,
    late,
  }: { readonly clock: Clock; readonly limitMs: number; readonly late: () => T },
): Promise<T> {
  let cancel: Cancel = () => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = clock.after(limitMs, resolve);
  });
  try {
    return await Promise.race([work, limit.then(late)]);
  } finally {
    cancel();
  }
}

/** The calendar day in UTC. */
export function dayOf(epochMs: number): string {
  return toIso(epochMs).slice(0, 10);
}

/** Size of a direct-mapped cache of formatted times, indexed by the low bits of the time. A power of two. */
const CACHED_TIMES = 1_024;
const cachedMs: number[] = Array.from({ length: CACHED_TIMES }, () => Number.NaN);
const cachedIso: string[] = Array.from({ length: CACHED_TIMES }, () => "");

/** The time in ISO 8601, UTC. Most calls format a time of the last second, so results are cached. */
export function toIso(epochMs: number): string {
  const place = epochMs & (CACHED_TIMES - 1);
  const cached = cachedIso[place];
  if (cached !== undefined && cachedMs[place] === epochMs) return cached;
  const iso = new Date(epochMs).toISOString();
  cachedMs[place] = epochMs;
  cachedIso[place] = iso;
  return iso;
}

/** Yields to the event loop, so that a long computation does not block sockets and timers. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
