/** Real time that a test can stop, so that results do not depend on the speed of the machine. Timers continue. */
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
