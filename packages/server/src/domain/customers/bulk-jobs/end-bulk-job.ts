import type { Command } from "../../../engine/command.ts";
import { scheduleDrop } from "../documents/document.ts";
import {
  type BulkJob,
  bulkJobSubject,
  bulkJobs,
  errorsOfBulkJob,
  movedOn,
  type RowError,
  requireUnchanged,
} from "./bulk-job.ts";
import { keepErrors } from "./record-bulk-progress.ts";

export const bulkJobEvents = {
  COMPLETED: "BULK_UPLOAD.COMPLETED",
  FAILED: "BULK_UPLOAD.FAILED",
} as const;

export type EndBulkJobInput = {
  readonly bulkJobId: string;
  /** The queued job that this command ends. */
  readonly jobId: string;
} & (
  | { readonly status: "COMPLETED"; readonly total: number }
  /** The file was refused; no row was imported. */
  | { readonly status: "FAILED"; readonly errors: readonly RowError[] }
);

/**
 * Ends an import and releases its file. Refuses, in this order: an unknown job, a job that another worker has changed, a job
 * with rows left.
 */
export const endBulkJob: Command<EndBulkJobInput, BulkJob> = {
  name: "end-bulk-job",
  needs: (_, { bulkJobId }) => [bulkJobs.ref(bulkJobId), errorsOfBulkJob.of(bulkJobId)],
  decide(world, input) {
    const { bulkJobId, jobId, status } = input;
    const job = requireUnchanged(world, {
      bulkJobId,
      ...(status === "FAILED"
        ? { status: "PENDING", processed: 0 }
        : { status: "PROCESSING", processed: input.total }),
    });
    if (status === "COMPLETED" && job.processed !== job.total) {
      throw movedOn(job);
    }

    const listedErrors =
      status === "FAILED" ? keepErrors(world, job, input.errors) : job.listedErrors;
    if (job.fileId !== null) scheduleDrop(world, job.fileId);
    const ended = world.put(bulkJobs, {
      ...job,
      status,
      fileId: null,
      listedErrors,
      updatedAt: world.at,
      completedAt: world.at,
    });
    world.cancel(jobId);
    world.emit(bulkJobEvents[status], bulkJobSubject(world, ended));
    return ended;
  },
};
