/**
 * Counts payments that have ended for the overview, beside the commits. The worker follows the events of each platform from a stored
 * position. It waits a moment after a commit, so that a busy platform costs a few statements a batch and not some a payment, and a
 * scan finds what other servers committed and did not count. One server at a time counts a platform, by a lease.
 *
 * The sums and the position are written in one transaction, so a process that dies in between leaves both as they were. It does not
 * wait for the disk: a crash of the database may undo the last batches whole, and they are counted again.
 *
 * Bounds: one connection and one batch at a time; the events of a batch; as much rest as the last batch took, so that catching up on
 * a long history leaves the database to the payments; the platforms that wait, beyond which the scan finds them.
 */
import {
  addSteps,
  behindStep,
  countStep,
  decodeBehind,
  decodeStanding,
  decodeSums,
  EVENTS_AT_ONCE,
  ROLLUP_HOURS_KEPT_MS,
  takeSteps,
} from "../../domain/reading/overview/payment-rollups.sql.ts";
import type { Database } from "../../postgres/database.ts";
import { createSerialLane, type SerialLane } from "../../postgres/serial-lane.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { randomIds } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";
import { WakeSignal } from "../../std/wake-signal.ts";
import { commitWithoutWaiting } from "../logs/held-log.ts";

export interface RollupWorker {
  /** A commit of this server has added events of this platform. */
  newEvents(platformId: string): void;
  start(): void;
  stop(): Promise<void>;
  /** Counts what there is now. Never rejects. */
  runOnce(): Promise<void>;
  /** Batches that failed. */
  readonly failed: () => number;
}

/** After the first commit of a platform that is not counted. */
const GATHER_MS = 1_500;
const SCAN_EVERY_MS = 3_000;
/** The clock may have been set, or the machine asleep, during a batch. */
const LONGEST_REST_MS = 10_000;
const SCANNED_AT_ONCE = 1_000;
const LEASE_MS = 10_000;
const MOST_WAITING = 10_000;

const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Platforms that are to be counted, each from a time on. */
class WaitingLine {
  readonly #at = new Map<string, number>();

  add(platformId: string, at: number): void {
    if (this.#at.has(platformId) || this.#at.size >= MOST_WAITING) return;
    this.#at.set(platformId, at);
  }

  /** Takes the first one whose time has come. */
  take(now: number): string | undefined {
    for (const [platformId, at] of this.#at) {
      if (at > now) continue;
      this.#at.delete(platformId);
      return platformId;
    }
    return undefined;
  }

  nextAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#at.values());
  }
}

interface CountingTools {
  readonly lane: SerialLane;
  readonly clock: Clock;
}

/** The batches of one worker. */
function createCounting({ lane, clock }: CountingTools) {
  const ids = randomIds();
  const workerId = ids.next(clock.now());
  return {
    /** Platforms after this one that are to be counted. */
    async behind(after: string): Promise<readonly string[]> {
      const wish = { after, now: clock.now(), workerId, limit: SCANNED_AT_ONCE };
      return decodeBehind(await lane.run(behindStep(wish)));
    },
    /** Counts one batch; true when there is more. */
    async countOn(platformId: string): Promise<boolean> {
      const now = clock.now();
      const lease = { platformId, workerId, now, until: now + LEASE_MS };
      const standing = decodeStanding(
        await lane.runAll([commitWithoutWaiting, ...takeSteps(lease)]),
      );
      if (standing === undefined || standing.position >= standing.last) return false;
      const { position: from, last } = standing;
      const end = from + BigInt(EVENTS_AT_ONCE);
      const to = end < last ? end : last;
      const batch = { platformId, workerId, from, to };
      const hours = decodeSums(await lane.run(countStep(batch)));
      const hoursSince = BigInt(now - ROLLUP_HOURS_KEPT_MS);
      const counted = {
        ...batch,
        hours,
        hoursSince,
        batchId: ids.next(now),
        until: now + LEASE_MS,
      };
      await lane.runAll([commitWithoutWaiting, ...addSteps(counted)]);
      return to < last;
    },
  };
}

/** Finds platforms page by page; true after the last one. The next scan goes on behind the page before. */
function createScan(
  { behind }: Pick<ReturnType<typeof createCounting>, "behind">,
  onFound: (platformId: string) => void,
): () => Promise<boolean> {
  let upTo = BEFORE_ALL;
  return async () => {
    const found = await behind(upTo);
    for (const platformId of found) onFound(platformId);
    const isLast = found.length < SCANNED_AT_ONCE;
    upTo = isLast ? BEFORE_ALL : (found.at(-1) ?? BEFORE_ALL);
    return isLast;
  };
}

/** Work that may fail, and is done again later. */
function createAttempts(log: Log) {
  let failed = 0;
  return {
    failed: () => failed,
    /** Does not reject. */
    async attempt<Outcome>(what: string, work: () => Promise<Outcome>) {
      try {
        return await work();
      } catch (error) {
        failed++;
        log.warn({ err: messageOf(error), what }, "the overview was not brought up to date");
        return undefined;
      }
    },
  };
}

export function createRollupWorker(options: {
  readonly database: Pick<Database, "openLane">;
  readonly clock: Clock;
  readonly log: Log;
}): RollupWorker {
  const { database, clock, log } = options;
  const lane = createSerialLane(database, "overview");
  const counting = createCounting({ lane, clock });
  const { attempt, failed } = createAttempts(log);
  const line = new WaitingLine();
  const scan = createScan(counting, (platformId) => line.add(platformId, clock.now()));
  const signal = new WakeSignal(clock);
  let scanAt = 0;
  let isStopped = false;
  let running: Promise<void> | undefined;
  let cancel: Cancel | undefined;

  async function countDue(): Promise<void> {
    while (!isStopped) {
      const platformId = line.take(clock.now());
      if (platformId === undefined) return;
      const began = clock.now();
      const hasMore = await attempt("a batch", () => counting.countOn(platformId));
      const tookMs = Math.min(clock.now() - began, LONGEST_REST_MS);
      // To the end of the line: platforms take turns.
      if (hasMore === true) line.add(platformId, clock.now());
      if (tookMs > 0 && !isStopped) await signal.waitUntil(clock.now() + tookMs);
    }
  }

  async function loop(): Promise<void> {
    while (!isStopped) {
      if (clock.now() >= scanAt) {
        scanAt = clock.now() + SCAN_EVERY_MS;
        await attempt("a scan", scan);
      }
      await countDue();
      const next = Math.min(scanAt, line.nextAt());
      if (!isStopped) await signal.waitUntil(next);
    }
  }

  return {
    newEvents(platformId) {
      line.add(platformId, clock.now() + GATHER_MS);
    },
    start() {
      // Not within the start, which has more urgent things to do.
      cancel = clock.after(GATHER_MS, () => {
        running = loop();
      });
    },
    async runOnce() {
      for (let isLast = false; !isLast; ) isLast = (await attempt("a scan", scan)) ?? true;
      for (;;) {
        const platformId = line.take(Number.POSITIVE_INFINITY);
        if (platformId === undefined) return;
        while (await attempt("a batch", () => counting.countOn(platformId)));
      }
    },
    async stop() {
      isStopped = true;
      cancel?.();
      signal.set();
      await running;
      await lane.close();
    },
    failed,
  };
}
