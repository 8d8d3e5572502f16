/**
 * The engine: the only writer. Commands wait in a queue per platform. A free lane takes commands of the platform that waited
 * longest, half from callers and half from workers, and commits them as one batch. No delay is added to a call: a batch gathers while
 * the one before commits. Commands of workers alone wait a moment for the next call while calls come in quick succession, because two
 * commits of one command each cost PostgreSQL a third more than one of both (ADR 172). A platform may have two batches in flight on its lane: the
 * second decides on top of the first while it commits, and is sent behind it. The first takes half of the waiting commands and leaves the rest
 * to the second.
 *
 * Bounds: the queue of the process and a fair share of it per platform (then 503), the size of a batch, the time a command
 * waits (then 503), the retries of a batch, the rows in the cache. The wait is bounded by the clock, not by the database: when
 * the database stops answering, callers get 503 in time, and those of their commands that were not started are dropped.
 */

import { parameter } from "../postgres/columns.ts";
import type { Database } from "../postgres/database.ts";
import type { Statement } from "../postgres/pipeline.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { Fault } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { currentTrace } from "../std/tracing/trace.ts";
import type { Ref, Table, TableRow } from "../tables/tables.ts";
import type { DescribeChanges } from "./audit-entries.ts";
import type { DirtyRow } from "./batch.ts";
import { createLanes, type Lanes, type Place } from "./cache/lanes.ts";
import { PlatformState } from "./cache/platform-state.ts";
import { Preloader } from "./cache/preload.ts";
import type { Answer, Answered, ClaimedJob, Subject, Submission } from "./command.ts";
import { idempotencyDigestOf, type StoredEvent } from "./command-log.ts";
import type { Pending } from "./decide.ts";
import type { MetadataKeys } from "./index-rows/metadata-terms.ts";
import type { LostCommits } from "./lost-commits.ts";
import type { Ports } from "./port.ts";
import type { Quantiles } from "./recent-times.ts";
import type { TracedEffects } from "./recent-traces.ts";
import { deleteUnusedHead, insertHead } from "./records.ts";
import type { ConstraintRefusal, Refusal } from "./refusal.ts";
import { BatchRunner } from "./run-batch.ts";

export interface EngineOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly renderEvent: (subject: Subject, platformId: string) => string;
  /** The implementations of the ports that commands use (port.ts). */
  readonly ports?: Ports;
  readonly renderRefusal: (refusal: Refusal) => Answer;
  readonly describeChanges: DescribeChanges;
  /** By which keys of metadata a platform finds its objects; none when absent. */
  readonly metadataKeys?: MetadataKeys;
  readonly constraintRefusals: Readonly<Record<string, ConstraintRefusal>>;
  readonly laneCount: number;
  readonly batchMax: number;
  readonly queueMax: number;
  readonly rowCapacity: number;
  /** Statements that shift due times outside of `jobs` when a platform's clock advances: `$1` is the platform, `$2` the milliseconds. */
  readonly clockShifts: readonly Statement[];
  /** The lease of a due job for the process that committed it. */
  readonly jobLeaseMs: number;
  /** How long a command may wait and be retried before its caller gets 503. */
  readonly patienceMs: number;
  /** The longest that commands of workers wait for the next call; 0 for not at all. */
  readonly callExpectedMs: number;
}

export const engineDefaults = {
  laneCount: 2,
  batchMax: 64,
  queueMax: 16_384,
  rowCapacity: 40_000,
  jobLeaseMs: 5_000,
  clockShifts: [],
  describeChanges: () => ({ target: null, changes: [] }),
  patienceMs: 4_500,
  callExpectedMs: 2,
} as const;

export interface Engine {
  /** Runs a command and answers once it is committed. Refusals are answers; faults and bugs are thrown. */
  submit<Input, Output>(submission: Submission<Input, Output>): Promise<Answered>;
  /**
   * The row in memory, or undefined when it is not cached. The row may come from a batch that is not committed yet, and another process may
   * have changed it since.
   */
  cached<Row extends TableRow>(platformId: string, ref: Ref<Row>): Row | undefined;
  /** Whether a caller has submitted a command of the platform within this time. Background work then takes smaller steps. */
  hadCallers(platformId: string, withinMs: number): boolean;
  /** Creates the head of a new platform; idempotent. */
  openPlatform(platformId: string): Promise<void>;
  /** Deletes the head of a platform whose creation failed: nothing was logged under it. */
  forgetPlatform(platformId: string): Promise<void>;
  /** Subscribes to the commits of this process: due jobs and platforms with new events. */
  onCommitted(listener: CommitListener): void;
  readonly gauges: EngineGauges;
  /** Throws a `Fault` when the database lacks a commit that was acknowledged: nothing is committed any more. */
  refuseLostCommits(): void;
  /** Drains: finishes accepted commands, accepts no new ones. */
  close(): Promise<void>;
}

export interface CommitListener {
  dueJobs(jobs: readonly ClaimedJob[]): void;
  newEvents(platformId: string): void;
  /** Called first, for a commit that wrote rows or events. A listener that keeps the events keeps their bodies in memory. */
  committed?(commit: WrittenCommit): void;
  /** Called before `dueJobs` and `newEvents`. */
  traced?(platformId: string, effects: readonly TracedEffects[]): void;
}

/** What a commit wrote. Its events have the sequence numbers from `after` + 1 to `upTo`. */
export interface WrittenCommit {
  readonly platformId: string;
  readonly rows: WrittenRows;
  readonly events: readonly StoredEvent[];
  readonly after: bigint;
  readonly upTo: bigint;
}

/** The written rows by table and id. */
export type WrittenRows = ReadonlyMap<Table<TableRow>, ReadonlyMap<string, DirtyRow>>;

export interface EngineGauges {
  queued(): number;
  batches(): number;
  commands(): number;
  retries(): number;
  /** The size of the caches of all platforms, in rows. */
  cachedRows(): number;
  /** How long the last commits took, from the sending to the answer of the database. */
  commitTimes(): Quantiles;
}

export function createEngine(options: EngineOptions): Engine {
  return new QueueingEngine(options);
}

/** The bound of all caches together, as a multiple of `rowCapacity`. One platform may have twice its capacity, young and old. */
const TOTAL_CAPACITIES = 3;

const EXPIRY_SCAN_MS = 250;

/** The platform of a batch that takes longer than this moves to `aside` (cache/lanes.ts). */
const HANGING_MS = 1_000;

interface BatchUnderway {
  readonly platform: PlatformState;
  readonly startedAt: number;
}

class QueueingEngine implements Engine {
  readonly #options: EngineOptions;
  readonly #lanes: Lanes;
  readonly #runner: BatchRunner;
  readonly #preloader: Preloader;
  readonly #platforms = new Map<string, PlatformState>();
  readonly #waiting: PlatformState[] = [];
  readonly #listeners: CommitListener[] = [];
  readonly #underway = new Map<readonly Pending[], BatchUnderway>();
  #cancelExpiryScan: Cancel | undefined;
  #queued = 0;
  #isPumpSet = false;
  #isClosed = false;
  #onIdle: (() => void) | undefined;
  #finishedBatches = 0;
  #lost: LostCommits | undefined;

  readonly gauges: EngineGauges = {
    queued: () => this.#queued,
    batches: () => this.#runner.counts.batches,
    commands: () => this.#runner.counts.commands,
    retries: () => this.#runner.counts.retries,
    cachedRows: () => this.#cachedRows(),
    commitTimes: () => this.#runner.commitTimes.quantiles(),
  };

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#lanes = createLanes({ database: options.database, count: options.laneCount });
    this.#runner = new BatchRunner({
      ...options,
      lanes: this.#lanes,
      listeners: this.#listeners,
      onLostCommits: (lost) => this.#halt(lost),
      onSent: (platform) => {
        if (platform.queue.length > 0) this.#enlist(platform);
      },
      onTrouble: (platform) => this.#setAside(platform),
    });
    this.#preloader = new Preloader({ ...options, ready: (pending) => this.#enqueue(pending) });
  }

  submit<Input, Output>(submission: Submission<Input, Output>): Promise<Answered> {
    if (this.#isClosed) return Promise.reject(new Fault("the server is stopping"));
    if (this.#lost !== undefined) return Promise.reject(new Fault(this.#lost.message));
    const platform = this.#platformOf(submission.platformId);
    // Fair share: a platform may queue as many commands as the queue has free places, so one alone may take half of the queue.
    if (platform.backlog >= this.#options.queueMax - this.#queued)
      return Promise.reject(new Fault("too many commands wait"));
    const { idempotency } = submission;
    return new Promise((resolve, reject) => {
      const pending: Pending = {
        submission: submission as Submission<unknown, unknown>,
        idempotencyDigest:
          idempotency === undefined
            ? null
            : idempotencyDigestOf(idempotency.scope, idempotency.key),
        enqueuedAt: this.#options.clock.now(),
        traceparent: currentTrace(),
        forced: undefined,
        resolve,
        reject,
      };
      this.#queued++;
      if (!this.#preloader.take(platform, pending)) this.#enqueue(pending);
      this.#scheduleExpiryScan();
    });
  }

  cached<Row extends TableRow>(platformId: string, ref: Ref<Row>): Row | undefined {
    return this.#platforms.get(platformId)?.rows.find(ref);
  }

  hadCallers(platformId: string, withinMs: number): boolean {
    const platform = this.#platforms.get(platformId);
    return (
      platform !== undefined && this.#options.clock.now() - platform.queue.lastCallAt < withinMs
    );
  }

  #enqueue(pending: Pending): void {
    const platform = this.#platformOf(pending.submission.platformId);
    platform.queue.push(pending);
    this.#enlist(platform);
  }

  openPlatform(platformId: string): Promise<void> {
    return this.#runOfPlatform(insertHead, platformId);
  }

  forgetPlatform(platformId: string): Promise<void> {
    return this.#runOfPlatform(deleteUnusedHead, platformId);
  }

  async #runOfPlatform(statement: Statement, platformId: string): Promise<void> {
    const lane = await this.#lanes.take();
    try {
      await lane.run([{ statement, parameters: [parameter("uuid", platformId)] }]);
    } finally {
      this.#lanes.giveBack(lane);
    }
  }

  onCommitted(listener: CommitListener): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#queued > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    this.#cancelExpiryScan?.();
    await this.#preloader.close();
    await this.#lanes.close();
  }

  refuseLostCommits(): void {
    if (this.#lost !== undefined) throw new Fault(this.#lost.message);
  }

  #halt(lost: LostCommits): void {
    if (this.#lost !== undefined) return;
    this.#lost = lost;
    this.#options.log.error(
      { platform: lost.platformId, seq: lost.seq.toString() },
      "the database lacks a commit that this server has acknowledged; nothing is committed any more until a restart (docs/runbook.md)",
    );
  }

  #platformOf(id: string): PlatformState {
    let platform = this.#platforms.get(id);
    if (platform === undefined) {
      platform = new PlatformState(id, this.#options.rowCapacity, this.#options.ports);
      this.#platforms.set(id, platform);
    }
    return platform;
  }

  #enlist(platform: PlatformState): void {
    if (!platform.isWaiting) {
      platform.isWaiting = true;
      this.#waiting.push(platform);
    }
    this.#pumpSoon();
  }

  /** Starts batches after this turn of the event loop, so that the commands of one turn go into one batch. */
  #pumpSoon(): void {
    if (this.#isPumpSet) return;
    this.#isPumpSet = true;
    setImmediate(() => {
      this.#isPumpSet = false;
      this.#pump();
    });
  }

  /** Starts a batch for each platform that may have one more in flight, longest waiting first. */
  #pump(): void {
    for (let count = this.#waiting.length; count > 0; count--) {
      const platform = this.#waiting.shift();
      if (platform === undefined) return;
      if (platform.queue.length === 0 || this.#expectsCall(platform)) {
        platform.isWaiting = false;
        continue;
      }
      const mayStart =
        platform.batchesInFlight === 0
          ? this.#lanes.isFree(platform.place)
          : this.#mayFollow(platform);
      if (mayStart) {
        platform.isWaiting = false;
        platform.endCallWait();
        void this.#runBatch(platform, platform.queue.take(this.#sizeFor(platform)));
      } else if (platform.batchesInFlight === 0) {
        this.#waiting.push(platform);
      } else {
        platform.isWaiting = false;
      }
    }
  }

  /**
   * Whether the waiting commands are left to the batch of the next call. A timer ends the wait, and no comparison with the clock, which may be
   * set back.
   */
  #expectsCall(platform: PlatformState): boolean {
    const { clock, callExpectedMs } = this.#options;
    if (callExpectedMs === 0 || platform.isCallOverdue || !platform.queue.isCallExpected)
      return false;
    platform.cancelCallWait ??= clock.after(callExpectedMs, () => {
      platform.cancelCallWait = undefined;
      platform.isCallOverdue = true;
      this.#enlist(platform);
    });
    return true;
  }

  /** Whether a second batch may follow the first: not while another platform waits and no place is free. */
  #mayFollow(platform: PlatformState): boolean {
    if (platform.batchesInFlight > 1 || !platform.acceptsSuccessor || platform.recovering.size > 0)
      return false;
    return this.#lanes.isFree(platform.place) || !this.#isAnotherWaiting(platform.place);
  }

  /** While another platform waits no second batch follows, so this batch takes all it can. */
  #sizeFor(platform: PlatformState): number {
    const { batchMax } = this.#options;
    return this.#isAnotherWaiting(platform.place) ? batchMax : platform.batchSize(batchMax);
  }

  #isAnotherWaiting(place: Place): boolean {
    return this.#waiting.some((other) => other.batchesInFlight === 0 && other.place === place);
  }

  /** Moves a platform in trouble to `aside`, so that its regular place is free for others. */
  #setAside(platform: PlatformState): void {
    platform.place = "aside";
    if (this.#waiting.length > 0) this.#pumpSoon();
  }

  /** Runs one batch until its commands are answered. */
  async #runBatch(platform: PlatformState, pendings: readonly Pending[]): Promise<void> {
    if (platform.batchesInFlight++ === 0) this.#lanes.reserve(platform);
    platform.underway += pendings.length;
    // Re-inserted so that the map is in order of use: `#boundMemory` evicts from its front.
    this.#platforms.delete(platform.id);
    this.#platforms.set(platform.id, platform);
    this.#underway.set(pendings, { platform, startedAt: this.#options.clock.now() });
    const run = this.#runner.run(platform, { pendings, predecessor: platform.tail });
    platform.tail = run;
    await run;
    this.#underway.delete(pendings);
    this.#queued -= pendings.length;
    platform.underway -= pendings.length;
    if (--platform.batchesInFlight === 0) {
      platform.tail = undefined;
      platform.acceptsSuccessor = false;
      if (platform.lane !== undefined) this.#lanes.giveBack(platform.lane);
      platform.lane = undefined;
      this.#lanes.release(platform);
    }
    if (platform.queue.length > 0) this.#enlist(platform);
    if (this.#waiting.length > 0) this.#pumpSoon();
    if (++this.#finishedBatches % 64 === 0) this.#boundMemory();
    if (this.#queued === 0) this.#onIdle?.();
  }

  #scheduleExpiryScan(): void {
    this.#cancelExpiryScan ??= this.#options.clock.after(EXPIRY_SCAN_MS, () => {
      this.#cancelExpiryScan = undefined;
      this.#setHangingAside();
      this.#failExpired();
      if (this.#queued > 0) this.#scheduleExpiryScan();
    });
  }

  #setHangingAside(): void {
    const since = this.#options.clock.now() - HANGING_MS;
    for (const { platform, startedAt } of this.#underway.values()) {
      if (startedAt <= since) this.#setAside(platform);
    }
  }

  /** Answers commands that waited too long with 503. A batch in flight continues; its outcome is found under its keys. */
  #failExpired(): void {
    const { clock, patienceMs } = this.#options;
    const since = clock.now() - patienceMs;
    const isExpired = (pending: Pending) => pending.enqueuedAt <= since;
    const fault = new Fault("the database does not answer in time");
    for (const pendings of this.#underway.keys()) {
      for (const pending of pendings) if (isExpired(pending)) pending.reject(fault);
    }
    const dropped = [...this.#preloader.drop(isExpired)];
    const busy = [...this.#underway.values()].map(({ platform }) => platform);
    for (const { queue } of new Set([...this.#waiting, ...busy])) {
      dropped.push(...queue.drop(isExpired));
    }
    for (const pending of dropped) pending.reject(fault);
    this.#queued -= dropped.length;
    if (this.#queued === 0) this.#onIdle?.();
  }

  /** Evicts the least recently used platforms when the caches exceed their bound. */
  #boundMemory(): void {
    let excess = this.#cachedRows() - this.#options.rowCapacity * TOTAL_CAPACITIES;
    for (const [id, platform] of this.#platforms) {
      if (excess <= 0) return;
      if (platform.batchesInFlight + platform.queue.length + platform.prefetching > 0) continue;
      this.#platforms.delete(id);
      excess -= platform.weight;
    }
  }

  #cachedRows(): number {
    let total = 0;
    for (const platform of this.#platforms.values()) total += platform.weight;
    return total;
  }
}
