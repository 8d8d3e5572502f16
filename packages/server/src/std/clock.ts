/**
 * The only place that reads the host's time or sets a timer. Everything else is handed a `Clock`, so tests move time
 * instead of waiting for it.
 */
export interface Clock {
  /** Milliseconds since the epoch, as the host sees them. */
  now(): number;
  /** Runs `task` once after `delayMs`; the answer cancels it. A pending timer never keeps the process alive. */
  after(delayMs: number, task: () => void): Cancel;
}

export type Cancel = () => void;

/** No clock of ours gets further: years of more than four digits are no times of the API, and what is due later has to fit in. */
export const END_OF_TIME = Date.UTC(9000, 0);

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A pause on the given clock. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}

/** What the work comes to, or what `late` makes of it when it takes longer than it may; the work itself goes on. */
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

/** The calendar day of a moment, in UTC. */
export function dayOf(epochMs: number): string {
  return toIso(epochMs).slice(0, 10);
}

/** The texts of this many milliseconds are kept, each in the place of its remainder. A power of two. */
const KEPT_TIMES = 1_024;
const keptMs: number[] = Array.from({ length: KEPT_TIMES }, () => Number.NaN);
const keptIso: string[] = Array.from({ length: KEPT_TIMES }, () => "");

/** An ISO 8601 time in UTC, as every answer and event carries it. Most that are asked for are of the last second. */
export function toIso(epochMs: number): string {
  const place = epochMs & (KEPT_TIMES - 1);
  const kept = keptIso[place];
  if (kept !== undefined && keptMs[place] === epochMs) return kept;
  const iso = new Date(epochMs).toISOString();
  keptMs[place] = epochMs;
  keptIso[place] = iso;
  return iso;
}
