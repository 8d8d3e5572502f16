/** A clock that only a test moves. */
import type { Cancel, Clock } from "../../src/std/clock.ts";

export interface ManualClock extends Clock {
  /** Advances the clock: fires due timers in order and lets the event loop run after each. */
  advance(ms: number): Promise<void>;
  readonly pendingTimers: number;
}

interface Timer {
  readonly at: number;
  readonly task: () => void;
}

/** Iterations of the event loop after each timer; enough for promises and for data that has arrived on sockets. */
const TURNS = 4;

export function createManualClock(startMs: number): ManualClock {
  let now = startMs;
  const timers = new Set<Timer>();

  function nextBy(time: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.at <= time && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }

  return {
    now: () => now,
    after(delayMs, task): Cancel {
      // Whole milliseconds, like the host's clock.
      const timer = { at: now + Math.max(0, Math.ceil(delayMs)), task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(ms) {
      const end = now + ms;
      for (let timer = nextBy(end); timer !== undefined; timer = nextBy(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.task();
        await turns();
      }
      now = end;
      await turns();
    },
    get pendingTimers() {
      return timers.size;
    },
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
