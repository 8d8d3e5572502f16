import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { type BulkJob, bulkJobs, unfinishedBulkJobs } from "./bulk-job.ts";

/** The largest number of unfinished imports of a platform. */
const MOST_UNFINISHED = 16;

/**
 * Starts the import of a file whose bytes are already written. Refuses when the platform has too many unfinished imports.
 */
export const startBulkJob: Command<{ readonly fileId: string }, BulkJob> = {
  name: "start-bulk-job",
  needs: () => [unfinishedBulkJobs],
  decide(world, { fileId }) {
    if (world.all(unfinishedBulkJobs).length >= MOST_UNFINISHED) {
      const message = `${MOST_UNFINISHED} bulk uploads are not finished yet; start another one when one of them has ended.`;
      throw new Refusal("CONFLICT", { most: MOST_UNFINISHED }, message);
    }

    const job = world.put(bulkJobs, {
      id: world.newId(),
      tokenId: world.actor.id,
      isPerson: world.actor.kind === "person",
      status: "PENDING",
      fileId,
      total: 0,
      processed: 0,
      successful: 0,
      failed: 0,
      position: 0,
      listedErrors: 0,
      createdAt: world.at,
      updatedAt: world.at,
      completedAt: null,
    });
    scheduleJob(world, {
      kind: "import-customers",
      payload: { bulkJobId: job.id },
      dueAt: world.at,
    });
    return job;
  },
};
