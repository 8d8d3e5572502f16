import { performance } from "node:perf_hooks";
import type { Clock } from "../std/clock.ts";

const SAMPLE_MS = 100;
const BUSY_FROM = 0.85;

/** Whether this process's thread was almost fully used lately; measured at most every tenth of a second. */
export function watchThread(clock: Clock): () => boolean {
  let since = performance.eventLoopUtilization();
  let sinceMs = clock.now();
  let isBusy = false;
  return () => {
    const now = clock.now();
    if (now - sinceMs < SAMPLE_MS) return isBusy;
    const read = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(read, since).utilization > BUSY_FROM;
    since = read;
    sinceMs = now;
    return isBusy;
  };
}
