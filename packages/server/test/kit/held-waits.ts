/** A clock of which all waits of one length end when a test says so, and all others by themselves. */
import type { Clock } from "../../src/std/clock.ts";

export interface HeldWaits extends Clock {
  /** Ends the waits that are held. */
  end(): void;
}

export function holdWaits(clock: Clock, heldMs: number): HeldWaits {
  const held = new Set<() => void>();
  return {
    now: clock.now,
    after(delayMs, task) {
      if (delayMs !== heldMs) return clock.after(delayMs, task);
      // An object of its own, because the same task may wait twice.
      const wait = () => task();
      held.add(wait);
      return () => held.delete(wait);
    },
    end() {
      const ended = [...held];
      held.clear();
      for (const task of ended) task();
    },
  };
}
