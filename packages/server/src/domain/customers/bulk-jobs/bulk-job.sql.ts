import type { Reads } from "../../../postgres/database.ts";
import {
  type BulkJob,
  type BulkJobError,
  bulkJobErrors,
  bulkJobs,
  MOST_LISTED_ERRORS,
} from "./bulk-job.ts";

const byId = {
  name: "bulk_jobs/get",
  text: `select ${bulkJobs.selectList("t")} from bulk_jobs t where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

export async function findBulkJob(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<BulkJob | undefined> {
  const [job] = await reads.rows(bulkJobs, byId, [platformId, id]);
  return job;
}

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
