import { createHash } from "node:crypto";
import { closeSync, fdatasyncSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./goals.ts";

/**
 * The current speed of the machine, independent of our code, for comparing the figures of two runs. Machines of the same type
 * differ threefold, and the speed of a shared machine changes within hours.
 */
export interface MachineSpeed {
  /** Median time to write and fsync a page of 8 kB. */
  readonly flushMs: number;
  /** Time of a dependent read (pointer chasing) in 4 MB, which shows the available processor cache. */
  readonly readNs: number;
  readonly hashMs: number;
}

export function measureSpeed(directory: string): MachineSpeed {
  return { flushMs: flushMs(directory), readNs: readNs(), hashMs: hashMs() };
}

const FLUSHES = 200;
const PAGE = Buffer.alloc(8_192, 1);

function flushMs(directory: string): number {
  const path = join(directory, "flush");
  const file = openSync(path, "w");
  try {
    ftruncateSync(file, FLUSHES * PAGE.length);
    return median(
      timesMs(FLUSHES, (n) => {
        writeSync(file, PAGE, 0, PAGE.length, n * PAGE.length);
        fdatasyncSync(file);
      }),
    );
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

const PLACES = 2 ** 20;
const READS = 2 ** 20;

/** A random cyclic permutation, which a hardware prefetcher cannot predict. */
function randomCycle(): Int32Array {
  const order = new Int32Array(PLACES);
  let state = 1;
  for (let n = 1; n < PLACES; n += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (n + 1));
    order[n] = order[other] ?? 0;
    order[other] = n;
  }
  const next = new Int32Array(PLACES);
  for (let n = 0; n < PLACES; n += 1) next[order[n] ?? 0] = order[(n + 1) % PLACES] ?? 0;
  return next;
}

function readNs(): number {
  const next = randomCycle();
  let place = 0;
  const tookMs = median(
    timesMs(5, () => {
      for (let n = 0; n < READS; n += 1) place = next[place] ?? 0;
    }),
  );
  if (place < 0) throw new Error("the permutation is not cyclic");
  return (tookMs * 1e6) / READS;
}

function hashMs(): number {
  const bytes = Buffer.alloc(2 ** 20, 1);
  return median(timesMs(21, () => createHash("sha256").update(bytes).digest()));
}

function timesMs(times: number, act: (n: number) => void): readonly number[] {
  return Array.from({ length: times }, (_, n) => {
    const startedAt = performance.now();
    act(n);
    return performance.now() - startedAt;
  });
}
