/** Real time that a test can hold still, so that no boundary depends on how fast the machine is. Timers go on. */
import { type Clock, systemClock } from "../../src/std/clock.ts";

export interface StoppableClock extends Clock {
  stop(): void;
  go(): void;
}

export function createStoppableClock(): StoppableClock {
  let stoppedAt: number | undefined;
  return {
    ...systemClock,
    now: () => stoppedAt ?? systemClock.now(),
    stop() {
      stoppedAt = systemClock.now();
    },
    go() {
      stoppedAt = undefined;
    },
  };
}
