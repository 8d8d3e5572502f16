import { pause, systemClock } from "../../src/std/clock.ts";

const LOOK_MS = 10;

/** Polls until `look` returns a value, because other processes do not signal that they are done. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = 15_000,
): Promise<T> {
  const deadline = systemClock.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (systemClock.now() > deadline) throw new Error(`within ${withinMs} ms, not: ${what}`);
    await pause(systemClock, LOOK_MS);
  }
}
