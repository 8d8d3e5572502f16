import Type from "typebox";
import {
  findBulkJob,
  listBulkJobErrors,
} from "../../../../domain/customers/bulk-jobs/bulk-job.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { BulkJobSchema, bulkJobExample, bulkJobJson } from "../../../../wire/customers/bulk-job.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getBulkCustomerJob = defineOperation({
  id: "getBulkCustomerJob",
  method: "GET",
  path: "/customers/bulk/jobs/{jobId}",
  access: "VIEW",
  capability: "customers.read",
  tag: "Customers",
  summary: "Get a bulk upload job",
  description: "Shows how far a bulk upload has come, and the rows that were refused.",
  params: Type.Object({ jobId: pathId("Job") }),
  answers: { 200: { description: "The job.", schema: BulkJobSchema, example: bulkJobExample } },
  refusals: ["BULK_UPLOAD_JOB_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const { platformId } = principal;
    const id = requireId("Job", params.jobId, "BULK_UPLOAD_JOB_NOT_FOUND");
    const job = await findBulkJob(reads, platformId, id);
    if (job === undefined) throw new Refusal("BULK_UPLOAD_JOB_NOT_FOUND");
    // Read after the job, so that no error of its state is missing; later errors are not counted in it yet.
    const errors = await listBulkJobErrors(reads, platformId, id);
    return {
      status: 200,
      body: bulkJobJson(job, errors.slice(0, job.listedErrors), { hasRows: true }),
    };
  },
});
