/**
 * The consecutive failures of jobs on this server. A job that failed ten times is reported to the operators, because it will most likely
 * never succeed, and no call waits for it any more.
 *
 * Bounds: the number of remembered jobs; beyond it the job whose last failure is oldest is dropped. A restart loses the counts, and each
 * server counts for itself: the job is then reported some minutes later, and retried sooner.
 */
import type { ClaimedJob } from "../../engine/command.ts";
import { messageOf } from "../../std/errors.ts";

/** A job that failed `TOLD_AFTER` times or more. */
export interface FailingJob {
  readonly platformId: string;
  readonly id: string;
  readonly kind: string;
  readonly failures: number;
  /** The time of the first of its consecutive failures. */
  readonly since: number;
  /** The message of its last failure. */
  readonly error: string;
}

interface Failure extends FailingJob {
  readonly lastAt: number;
}

const TOLD_AFTER = 10;
const REMEMBERED = 10_000;
const LONGEST_PAUSE_MS = 60_000;
/** A job without a failure here for this long has ended on another server, or runs there. */
const STANDS_FOR_MS = 15 * 60_000;
const MOST_TOLD = 100;
const LONGEST_ERROR = 300;

export class JobFailures {
  /** Ordered by the last failure, the oldest first. */
  readonly #byJob = new Map<string, Failure>();

  /** Counts a failure and returns how long to pause after it. */
  note(job: ClaimedJob, error: unknown, now: number): number {
    const { id, kind, platformId } = job;
    const before = this.#byJob.get(id);
    this.#byJob.delete(id);
    if (this.#byJob.size >= REMEMBERED) {
      const oldest = this.#byJob.keys().next();
      if (oldest.done !== true) this.#byJob.delete(oldest.value);
    }
    const failures = (before?.failures ?? 0) + 1;
    this.#byJob.set(id, {
      platformId,
      id,
      kind,
      failures,
      since: before?.since ?? now,
      error: messageOf(error).slice(0, LONGEST_ERROR),
      lastAt: now,
    });
    return Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS);
  }

  forget(jobId: string): void {
    this.#byJob.delete(jobId);
  }

  isFailing(jobId: string): boolean {
    return (this.#byJob.get(jobId)?.failures ?? 0) >= TOLD_AFTER;
  }

  failingOf(platformId: string): readonly string[] {
    return [...this.#byJob.values()].flatMap((failure) =>
      failure.platformId === platformId && failure.failures >= TOLD_AFTER ? [failure.id] : [],
    );
  }

  /** The number of failing jobs, and those that have been failing for longest. */
  told(now: number): { readonly count: number; readonly jobs: readonly FailingJob[] } {
    const standing = [...this.#byJob.values()].filter(
      ({ failures, lastAt }) => failures >= TOLD_AFTER && now - lastAt <= STANDS_FOR_MS,
    );
    const jobs = standing
      .toSorted((one, other) => one.since - other.since)
      .slice(0, MOST_TOLD)
      .map(({ lastAt: _, ...job }) => job);
    return { count: standing.length, jobs };
  }
}
