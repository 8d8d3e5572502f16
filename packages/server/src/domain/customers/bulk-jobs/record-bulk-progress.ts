import type { Command, World } from "../../../engine/command.ts";
import {
  type BulkJob,
  bulkJobErrors,
  bulkJobs,
  MOST_LISTED_ERRORS,
  type RowError,
  requireUnchanged,
} from "./bulk-job.ts";

export interface RecordBulkProgressInput {
  readonly bulkJobId: string;
  /** How many rows were done before these. */
  readonly from: number;
  readonly successful: number;
  readonly failed: number;
  /** Errors of the refused rows, in row order. The caller may leave out those beyond `MOST_LISTED_ERRORS`. */
  readonly errors: readonly RowError[];
  /** Where the next row begins. */
  readonly position: number;
}

/** Records the outcome of the next rows. Refuses, in this order: an unknown job, a job that another worker has changed. */
export const recordBulkProgress: Command<RecordBulkProgressInput, BulkJob> = {
  name: "record-bulk-progress",
  needs: (_, { bulkJobId }) => [bulkJobs.ref(bulkJobId)],
  decide(world, { bulkJobId, from, successful, failed, errors, position }) {
    const job = requireUnchanged(world, { bulkJobId, status: "PROCESSING", processed: from });

    const listedErrors = keepErrors(world, job, errors);
    return world.put(bulkJobs, {
      ...job,
      processed: from + successful + failed,
      successful: job.successful + successful,
      failed: job.failed + failed,
      position,
      listedErrors,
      updatedAt: world.at,
    });
  },
};

/** Stores errors up to the bound of the job; returns the number that is stored now. */
export function keepErrors(world: World, job: BulkJob, errors: readonly RowError[]): number {
  const kept = errors.slice(0, MOST_LISTED_ERRORS - job.listedErrors);
  for (const error of kept)
    world.put(bulkJobErrors, { id: world.newId(), jobId: job.id, ...error });
  return job.listedErrors + kept.length;
}

interface RecordBulkSurveyInput {
  readonly bulkJobId: string;
  readonly total: number;
  /** Where the first row begins. */
  readonly position: number;
}

/**
 * Records that a file can be read, and its number of rows. Refuses, in this order: an unknown job, a job that another worker
 * has changed.
 */
export const recordBulkSurvey: Command<RecordBulkSurveyInput, BulkJob> = {
  name: "record-bulk-survey",
  needs: (_, { bulkJobId }) => [bulkJobs.ref(bulkJobId)],
  decide(world, { bulkJobId, total, position }) {
    const job = requireUnchanged(world, { bulkJobId, status: "PENDING", processed: 0 });

    return world.put(bulkJobs, {
      ...job,
      status: "PROCESSING",
      total,
      position,
      updatedAt: world.at,
    });
  },
};
