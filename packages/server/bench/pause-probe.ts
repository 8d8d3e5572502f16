/**
 * Loaded before a server by `--import`: what its event loop was kept from. On SIGUSR2 it writes a line of JSON to PAUSE_FILE, with the longest
 * delay of a timer and the most processor time of the main thread between two of its turns since the last signal. The second figure does
 * not depend on what else the machine runs.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const NS_A_MS = 1e6;

function busyNs(): number {
  return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]);
}

function probe(file: string): void {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let before = busyNs();
  let most = 0;
  setInterval(() => {
    const now = busyNs();
    most = Math.max(most, now - before);
    before = now;
  }, 1).unref();
  process.on("SIGUSR2", () => {
    const line = { delayMs: delays.max / NS_A_MS, busyMs: most / NS_A_MS };
    delays.reset();
    most = 0;
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  });
}

if (isMainThread && process.env.PAUSE_FILE !== undefined) probe(process.env.PAUSE_FILE);
