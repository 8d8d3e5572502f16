/**
 * Runs jobs when they are due. The engine hands over jobs that are due when they are committed, already leased to this
 * process. A scan of the table finds all others, and those of a process that died. The command that records the outcome of a
 * job ends it; any other job is released for later.
 *
 * Bounds: jobs under way, jobs claimed by one scan, the backoff after a failure and the failures that are remembered (failures/job-failures.ts). If
 * the process dies, its leases expire and another scan claims the jobs; calls to the outside carry the same key again.
 */
import type { ClaimedJob } from "../engine/command.ts";
import { type Cancel, type Clock, pause } from "../std/clock.ts";
import { Fault, messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import { type FailingJob, JobFailures } from "./failures/job-failures.ts";
import type { JobStore, ReleasedJob } from "./job-store.ts";
import { type Scan, ScanPlan } from "./scan-plan.ts";
import { JobRefused } from "./submit-for-job.ts";

/** `again`: the job is not done; it is claimed again after `inMs`. */
export type JobResult =
  /** `refusal`: the code with which a command of the job was refused before the job ended another way. */
  | { readonly kind: "done"; readonly refusal?: string }
  | { readonly kind: "again"; readonly inMs: number };
export type JobRunner = (job: ClaimedJob) => Promise<JobResult>;

export interface JobWorker {
  /** Jobs that are due now and leased to this process. */
  hint(jobs: readonly ClaimedJob[]): void;
  /** Called when this server has committed something: jobs for later may be among it. */
  stir(): void;
  /**
   * Runs the due jobs of a platform and those that follow from them, and waits for those that other processes run. It does not wait for a
   * job that failed ten times here, so that such a job cannot stop every caller.
   */
  drain(platformId: string): Promise<void>;
  start(): void;
  /**
   * Stops scanning. Jobs that `callers` still commit are run, because some are useful at once or not at all. Resolves when
   * nothing is under way.
   */
  stop(callers?: Promise<unknown>): Promise<void>;
  readonly underway: () => number;
  /** How many commands of jobs were refused. */
  readonly refused: () => number;
  /** Jobs that failed ten times in a row here, and are tried again. */
  readonly failing: () => { readonly count: number; readonly jobs: readonly FailingJob[] };
}

export interface JobWorkerOptions {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly runners: Readonly<Record<string, JobRunner>>;
  readonly leaseMs: number;
  /** The pause between scans while this server commits or finds jobs. */
  readonly pollMs: number;
  /** The longest pause while it does neither; `pollMs` unless set. At most `AHEAD_MS` of the store. */
  readonly idlePollMs?: number;
  readonly maxUnderway: number;
}

export const jobWorkerDefaults = {
  leaseMs: 5_000,
  pollMs: 250,
  // A job of a server that died, or that another one scheduled for later, starts within two seconds of its time.
  idlePollMs: 1_500,
  maxUnderway: 1_024,
} as const;

const DRAIN_PATIENCE_MS = 20_000;
/** A scan claims jobs in portions, so that a thousand claims do not delay the answers of callers. */
const CLAIMED_AT_ONCE = 128;
/** How soon to check again for jobs that another process has leased. */
const HELD_ELSEWHERE_MS = 20;
/** Hints beyond this many times `maxUnderway` are dropped; a scan finds their jobs. */
const HINTS_PER_SLOT = 8;

export function createJobWorker(options: JobWorkerOptions): JobWorker {
  return new Worker(options);
}

class Worker implements JobWorker {
  readonly #options: JobWorkerOptions;
  readonly #hinted: ClaimedJob[] = [];
  /** By id, with the latest claim: a job that outlives its lease is claimed again by the next scan. */
  readonly #underway = new Map<string, ClaimedJob>();
  /** Consecutive failures by job id. The number of claims says nothing: a job that waits for a rail is claimed often. */
  readonly #failures = new JobFailures();
  #released: ReleasedJob[] = [];
  #releasing: Promise<void> | undefined;
  #waiters: (() => void)[] = [];
  #isStopped = false;
  #isClosed = false;
  #refusals = 0;
  #cancelPoll: Cancel | undefined;
  /** When the next scan begins; infinite while one is under way. */
  #pollAt = Number.POSITIVE_INFINITY;
  /** Scans in a row that found nothing, since this server last committed. */
  #emptyScans = 0;
  /** When the next job becomes due, as far as the last scan looked ahead. */
  #nextAt: number | undefined;
  readonly #plan = new ScanPlan();
  /** The scan that is under way. */
  #scanning: Promise<void> | undefined;

  constructor(options: JobWorkerOptions) {
    this.#options = options;
  }

  readonly underway = (): number => this.#underway.size + this.#hinted.length;

  readonly refused = (): number => this.#refusals;

  readonly failing = () => this.#failures.told(this.#options.clock.now());

  hint(jobs: readonly ClaimedJob[]): void {
    if (this.#isClosed) return;
    const room = this.#options.maxUnderway * HINTS_PER_SLOT - this.#hinted.length;
    this.#hinted.push(...jobs.slice(0, Math.max(room, 0)));
    this.#fill();
  }

  stir(): void {
    this.#emptyScans = 0;
    const { clock, pollMs } = this.#options;
    const isSoon = this.#pollAt <= clock.now() + pollMs;
    if (isSoon || this.#pollAt === Number.POSITIVE_INFINITY) return;
    this.#cancelPoll?.();
    this.#pollLater();
  }

  start(): void {
    this.#pollLater();
  }

  async stop(callers: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#isStopped = true;
    this.#cancelPoll?.();
    await Promise.all([this.#scanning, callers]);
    this.#isClosed = true;
    while (this.underway() > 0) await this.#change();
    await this.#releasing;
  }

  async drain(platformId: string): Promise<void> {
    const { clock } = this.#options;
    let isLate = false;
    const cancel = clock.after(DRAIN_PATIENCE_MS, () => {
      isLate = true;
      this.#wakeAll();
    });
    try {
      await this.#runAll(platformId, () => isLate);
    } finally {
      cancel();
    }
  }

  async #runAll(platformId: string, isLate: () => boolean): Promise<void> {
    const { store, clock, leaseMs, maxUnderway } = this.#options;
    while (!isLate()) {
      if (this.#isBusy(platformId)) {
        await this.#change();
        continue;
      }
      await this.#releasing;
      const now = clock.now();
      const jobs = await store.claim({ now, leaseMs, limit: maxUnderway, platformId });
      for (const job of jobs) void this.#run(job);
      // A scan may have claimed the due jobs first; then they are under way.
      if (jobs.length > 0 || this.#isBusy(platformId)) continue;
      const except = this.#failures.failingOf(platformId);
      if (!(await store.hasHeldJob({ now, platformId, except }))) return;
      await Promise.race([this.#change(), pause(clock, HELD_ELSEWHERE_MS)]);
    }
    throw new Fault("the due jobs could not be completed in time");
  }

  #isBusy(platformId: string): boolean {
    const counts = (job: ClaimedJob) =>
      job.platformId === platformId && !this.#failures.isFailing(job.id);
    return this.#hinted.some(counts) || [...this.#underway.values()].some(counts);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #wakeAll(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #pollLater(restMs = 0): void {
    if (this.#isStopped) return;
    const { clock } = this.#options;
    const pauseMs = Math.max(this.#pauseMs(), restMs);
    this.#pollAt = clock.now() + pauseMs;
    this.#cancelPoll = clock.after(pauseMs, () => {
      this.#pollAt = Number.POSITIVE_INFINITY;
      this.#scanning = this.#poll().then((rest) => this.#pollLater(rest));
    });
  }

  /** Doubles with each scan that found nothing, and ends when the next job becomes due, but not before `pollMs`. */
  #pauseMs(): number {
    const { clock, pollMs, idlePollMs = pollMs } = this.#options;
    const idleMs = Math.min(pollMs * 2 ** Math.min(this.#emptyScans, 10), idlePollMs);
    if (this.#nextAt === undefined) return idleMs;
    return Math.max(pollMs, Math.min(idleMs, this.#nextAt - clock.now()));
  }

  /** Claims all due jobs; answers how long to pause after it. Never rejects. */
  async #poll(): Promise<number> {
    const { clock, log } = this.#options;
    const scan = this.#plan.begin(clock.now());
    this.#emptyScans += 1;
    try {
      let mayBeMore = true;
      while (mayBeMore && !this.#isStopped) mayBeMore = await this.#takePortion(scan);
    } catch (error) {
      scan.hasFailed = true;
      log.warn({ err: messageOf(error) }, "the scan for due jobs failed");
    }
    return this.#plan.end(scan);
  }

  /** Claims one portion; answers whether more jobs may be due. */
  async #takePortion(scan: Scan): Promise<boolean> {
    const { store, clock, leaseMs, maxUnderway } = this.#options;
    const limit = Math.min(CLAIMED_AT_ONCE, maxUnderway - this.#underway.size);
    if (limit <= 0) return false;
    const now = clock.now();
    try {
      const from = scan.foundUpTo ?? scan.from;
      const { jobs, fullUpTo, nextAt } = await store.claimNext({ now, leaseMs, limit, from });
      this.#nextAt = nextAt;
      if (jobs.length > 0) this.#emptyScans = 0;
      for (const job of jobs) void this.#run(job);
      scan.foundUpTo = fullUpTo ?? now;
      // Other servers may claim a whole portion. The scan ends at a portion without a claimed job that does not advance in time.
      return fullUpTo !== undefined && (jobs.length > 0 || fullUpTo > (from ?? 0));
    } finally {
      scan.lastTookMs = clock.now() - now;
      scan.tookMs = Math.max(scan.tookMs, scan.lastTookMs);
    }
  }

  #fill(): void {
    while (this.#hinted.length > 0 && this.#underway.size < this.#options.maxUnderway) {
      const job = this.#hinted.shift();
      if (job !== undefined) void this.#run(job);
    }
  }

  async #run(job: ClaimedJob): Promise<void> {
    const isRunning = this.#underway.has(job.id);
    this.#underway.set(job.id, job);
    if (isRunning) return;
    const { clock, log, runners } = this.#options;
    const startedAt = clock.now();
    const inPlatformTime = (inMs: number) => job.platformTime + clock.now() - startedAt + inMs;
    try {
      const runner = runners[job.kind];
      if (runner === undefined) throw new Error(`no runner for jobs of kind ${job.kind}`);
      const result = await runner(job);
      this.#failures.forget(job.id);
      if (result.kind === "again") this.#release(job, inPlatformTime(result.inMs));
      else if (result.refusal !== undefined) this.#noteRefusal(job, result.refusal);
    } catch (error) {
      if (error instanceof JobRefused) this.#noteRefusal(job, error.code);
      log.warn(
        { err: messageOf(error), job: job.id, kind: job.kind, attempts: job.attempts },
        "a job failed",
      );
      this.#release(job, inPlatformTime(this.#failures.note(job, error, clock.now())));
    } finally {
      this.#underway.delete(job.id);
      this.#fill();
      this.#wakeAll();
    }
  }

  /** A command refused to record what has already happened outside: an operator must look at the payment. */
  #noteRefusal({ id, kind, platformId }: ClaimedJob, code: string): void {
    this.#refusals++;
    this.#options.log.error({ job: id, kind, platform: platformId, code }, "a job was refused");
  }

  /** Batches releases: jobs that end while a release is under way share the next one. */
  #release(job: ClaimedJob, dueAt: number): void {
    this.#released.push({ job: this.#underway.get(job.id) ?? job, dueAt });
    this.#releasing ??= this.#flushReleases();
  }

  async #flushReleases(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#released.length > 0) {
      const released = this.#released;
      this.#released = [];
      try {
        await this.#options.store.release(released);
      } catch (error) {
        this.#options.log.warn(
          { err: messageOf(error) },
          "jobs could not be released; their leases will expire",
        );
      }
    }
    this.#releasing = undefined;
    this.stir();
  }
}
