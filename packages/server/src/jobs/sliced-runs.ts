/**
 * Runs long jobs in slices. A slice ends before the lease of its job does and the job is claimed again, so no other server
 * starts it meanwhile, a stop waits for a few seconds at most, and what a slice has recorded is not done again.
 *
 * Bounds: the slices that run at a time, one a platform.
 */
import type { ClaimedJob } from "../engine/command.ts";
import { createFairSemaphore } from "../std/admission/fair-semaphore.ts";
import { type Clock, within } from "../std/clock.ts";
import type { JobResult } from "./due-jobs.ts";

/** Below the lease of a job. */
const SLICE_MS = 3_000;

/** The slice is over, or found no free slot. */
export const CONTINUE: JobResult = { kind: "again", inMs: 0 };
/** Another server runs this job, or has ended it. */
export const LATER: JobResult = { kind: "again", inMs: 1_000 };

export type SlicedRun = (
  job: Pick<ClaimedJob, "platformId">,
  slice: (endsAt: number) => Promise<JobResult>,
) => Promise<JobResult>;

export function createSlicedRuns(clock: Clock, slots: number): SlicedRun {
  const semaphore = createFairSemaphore({ slots, perKey: 1 });
  return async ({ platformId }, slice) => {
    const endsAt = clock.now() + SLICE_MS;
    const task = semaphore.run(platformId, () => slice(endsAt));
    const started = task.started.then(() => true);
    if (await within(started, { clock, limitMs: SLICE_MS, late: () => false })) return task.result;
    return task.cancel() ? CONTINUE : task.result;
  };
}
