import type { Command } from "../../../engine/command.ts";
import { type BulkJob, bulkJobs, requireUnchanged } from "./bulk-job.ts";

export interface RecordBulkSurveyInput {
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
