import type { Reads } from "../../../postgres/database.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { type BulkJobError, bulkJobErrors, bulkJobs, MOST_LISTED_ERRORS } from "./bulk-job.ts";

export const findBulkJob = finderOf(bulkJobs);

const errorsByJob = {
  name: "bulk_job_errors/of-job",
  text:
    `select ${bulkJobErrors.selectList("t")} from bulk_job_errors t ` +
    "where t.platform_id = $1::uuid and t.job_id = $2::uuid order by t.line, t.id limit $3::int8",
};

export function listBulkJobErrors(
  reads: Reads,
  platformId: string,
  jobId: string,
): Promise<readonly BulkJobError[]> {
  return reads.rows(bulkJobErrors, errorsByJob, [platformId, jobId, MOST_LISTED_ERRORS]);
}
