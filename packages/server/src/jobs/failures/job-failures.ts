/**
 * The consecutive failures of jobs on this server. A job that failed ten times is told to the operators, because it will most likely never
 * end, and no call waits for it.
 *
 * Bounds: so many jobs are remembered; beyond, the one that failed longest ago is dropped. All is lost with the process, and another
 * server counts its own failures: such a job is then told some minutes later, and is tried again sooner.
 */
import type { ClaimedJob } from "../../engine/command.ts";
import { messageOf } from "../../std/errors.ts";

/** A job that failed `TOLD_AFTER` times or more. */
export interface FailingJob {
  readonly platformId: string;
  readonly id: string;
  readonly kind: string;
  readonly failures: number;
  /** Of its first failure. */
  readonly since: number;
  /** Of its last failure. */
  readonly error: string;
}

interface Failure extends FailingJob {
  readonly lastAt: number;
}

const TOLD_AFTER = 10;
const REMEMBERED = 10_000;
const LONGEST_PAUSE_MS = 60_000;
/** A job that did not fail here for so long has ended on another server, or that server has it. */
const STANDS_FOR_MS = 15 * 60_000;
const MOST_TOLD = 100;
const LONGEST_ERROR = 300;

export class JobFailures {
  /** The one that failed longest ago is the first. */
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

  /** How many there are, and those that fail longest. */
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
