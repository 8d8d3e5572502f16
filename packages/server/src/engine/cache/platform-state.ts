/** The state of one platform in this process: its queue, its head as last seen, its row cache. */

import type { Lane } from "../../postgres/database.ts";
import type { Cancel } from "../../std/clock.ts";
import { type Ids, randomIds } from "../../std/ids.ts";
import type { Ref, TableRow } from "../../tables/tables.ts";
import type { Batch } from "../batch.ts";
import type { Loaded } from "../command.ts";
import type { LoggedCommand } from "../command-log.ts";
import type { Pending } from "../decide.ts";
import type { Head } from "../head.ts";
import type { LoggedPlace } from "../lost-commits.ts";
import { functionsOf, type Ports } from "../port.ts";
import { CommandQueue } from "./command-queue.ts";
import type { Place } from "./lanes.ts";
import { RowCache } from "./row-cache.ts";

/** At least this many recent keys are kept, so that a caller's retry is looked up first and does not fail on the unique index. */
const RECENT_KEYS = 4_096;

/** After a conflict with another writer, this many batches lock first instead of failing again. */
const LOCKED_AFTER_CONFLICT = 32;

/** Memory weights: 8 keys count as one row; the random bytes for ids, the queue and the head count as 16 rows. */
const KEYS_PER_ROW = 8;
const OWN_WEIGHT = 16;

/** The most batches of a platform in flight. */
const MAX_IN_FLIGHT = 2;

/** A batch is not split below this number of commands. */
const MIN_SPLIT = 16;

export class PlatformState {
  readonly id: string;
  readonly ids: Ids = randomIds();
  readonly rows: RowCache;
  /** The rows in memory, as `needs` sees them. */
  readonly loaded: Loaded;
  readonly queue = new CommandQueue();
  isWaiting = false;
  /** Cancels the timer that ends the wait of workers' commands for the next call. */
  cancelCallWait: Cancel | undefined;
  /** Whether that wait has ended without a call: the next batch starts without one. */
  isCallOverdue = false;
  /** Commands that wait for rows before they queue. */
  prefetching = 0;
  /** Batches in flight: at most two, the second decided on top of the first. */
  batchesInFlight = 0;
  /** The commands in the batches in flight. */
  underway = 0;
  /** Whether the latest batch was sent, so that the next one may decide on top of it. */
  acceptsSuccessor = false;
  /** Batches that failed and are retried: until they are settled no batch decides on top of another. */
  readonly recovering = new Set<readonly Pending[]>();
  /** Resolves with the latest batch; never rejects. */
  tail: Promise<void> | undefined;
  /** The connection that carries all batches in flight, in their order. */
  lane: Lane | undefined;
  /** The kind of place among the lanes: `aside` after a batch failed or hung, until a commit succeeds. */
  place: Place = "regular";
  /** The last command that was acknowledged; undefined before the first one of this process. */
  acknowledged: LoggedPlace | undefined;
  #lockedBatchesLeft = 0;
  #head: Head | undefined;
  /** The rows written by batches that are not settled. */
  #writes: readonly Batch["dirty"][] = [];
  #recentKeys = new Set<string>();
  #olderKeys = new Set<string>();

  constructor(id: string, rowCapacity: number, ports?: Ports) {
    this.id = id;
    this.rows = new RowCache(rowCapacity);
    this.loaded = {
      platformId: id,
      find: (ref) => this.rows.find(ref),
      all: () => [],
      port: (port) => functionsOf(ports, port),
    };
  }

  get backlog(): number {
    return this.queue.length + this.prefetching;
  }

  /** Called when a batch takes the commands that waited for a call. */
  endCallWait(): void {
    this.cancelCallWait?.();
    this.cancelCallWait = undefined;
    this.isCallOverdue = false;
  }

  /**
   * The size of the next batch: half of the commands that wait or are in flight, so that PostgreSQL commits one half while
   * this process decides the other. On the locked path no batch follows another, and each takes all it can.
   */
  batchSize(most: number): number {
    if (!this.isSoleWriter) return most;
    const half = Math.ceil((this.queue.length + this.underway) / 2);
    return Math.min(most, Math.max(half, MIN_SPLIT));
  }

  /** The memory of this platform, in rows: cached rows, remembered keys and the rest. */
  get weight(): number {
    const keys = this.#recentKeys.size + this.#olderKeys.size;
    return this.rows.size + Math.ceil(keys / KEYS_PER_ROW) + OWN_WEIGHT;
  }

  /** The head that the cached rows belong to; undefined when the cache was dropped. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Receives the head that was read under its lock. When it differs from the cached head, another process wrote: the rows are dropped. */
  receiveHead(head: Head): void {
    const isOurs = this.#head?.seq === head.seq && this.#head.chainHash.equals(head.chainHash);
    if (!isOurs) this.rows.clear();
    this.#head = head;
  }

  /** Whether no other process has written recently, so that a batch may be decided from the cache, without the lock. */
  get isSoleWriter(): boolean {
    return this.#lockedBatchesLeft === 0;
  }

  countLockedBatch(): void {
    if (this.#lockedBatchesLeft > 0) this.#lockedBatchesLeft--;
  }

  /** Notes that another process wrote between two batches of this one: the next batches take the lock. */
  noteConcurrentWriter(): void {
    this.#lockedBatchesLeft = LOCKED_AFTER_CONFLICT;
  }

  /** Adopts the state of a batch that is being committed; `invalidate` drops it when the commit fails. */
  expect(head: Head, logged: readonly LoggedCommand[], written: Batch["dirty"]): void {
    this.#head = head;
    this.#writes = [written, ...this.#writes.slice(0, MAX_IN_FLIGHT - 1)];
    this.rows.trim();
    for (const { idempotencyDigest } of logged) {
      if (idempotencyDigest !== null) this.#recentKeys.add(idempotencyDigest);
    }
    if (this.#recentKeys.size > RECENT_KEYS) {
      this.#olderKeys = this.#recentKeys;
      this.#recentKeys = new Set();
    }
  }

  /** Whether an unsettled batch has written the row, which the database may not show yet. */
  wasJustWritten({ table, id }: Ref<TableRow>): boolean {
    return this.#writes.some((written) => written.get(table)?.has(id));
  }

  /** Drops the cache: after a failure its rows may hold changes that were not committed. */
  invalidate(): void {
    this.#head = undefined;
    this.rows.clear();
  }

  /** Whether one of the keys was used recently by this process, so that its answer must be looked up. */
  usedRecently(pendings: readonly Pending[]): boolean {
    return pendings.some(
      ({ idempotencyDigest: digest }) =>
        digest !== null && (this.#recentKeys.has(digest) || this.#olderKeys.has(digest)),
    );
  }
}
