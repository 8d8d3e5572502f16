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

/** The calendar day of a moment, in UTC. */
export function dayOf(epochMs: number): string {
  return toIso(epochMs).slice(0, 10);
}

let lastMs = Number.NaN;
let lastIso = "";

/** An ISO 8601 time in UTC, as every answer and event carries it. Most callers ask for the time that was asked for last. */
export function toIso(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastIso = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastIso;
}
