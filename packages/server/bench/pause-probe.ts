/**
 * Measures how long a server's event loop was blocked; loaded with `--import`. On SIGUSR2 it writes a line of JSON to PAUSE_FILE: the
 * longest delay of a timer, and the most CPU time of the main thread between two turns of its loop since the last signal. The second
 * figure does not depend on other load of the machine.
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
