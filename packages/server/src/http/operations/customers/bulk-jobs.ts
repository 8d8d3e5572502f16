import Type from "typebox";
import {
  findBulkJob,
  listBulkJobErrors,
} from "../../../domain/customers/bulk-jobs/bulk-job.sql.ts";
import { bulkJobStatuses } from "../../../domain/customers/bulk-jobs/bulk-job.ts";
import { startBulkJob } from "../../../domain/customers/bulk-jobs/start-bulk-job.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import { BulkJobSchema, bulkJobExample, bulkJobJson } from "../../../wire/customers/bulk-job.ts";
import { columnsDescription, MOST_FILE_BYTES } from "../../../wire/customers/customer-columns.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation, defineUpload, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { keepFile } from "../../upload/keep-file.ts";
import { newCustomerEvents } from "../event-lists.ts";

const uploadCustomersCsv = defineUpload({
  id: "uploadCustomersCsv",
  ...route("POST /customers/bulk/csv", "MANAGE", "customers.write"),
  tag: "Customers",
  summary: "Create customers from a CSV file",
  description:
    "The file is taken in and worked through afterwards. UTF-8, a header row, commas, RFC 4180 quotes. A file that is no " +
    "such table ends in `FAILED` with nothing taken from it; a row that is refused is listed and the others go on. An " +
    "empty cell is a field that is not there. Columns of other names are passed over; `platformAccountId` and " +
    "`description` are checked and not kept. " +
    columnsDescription,
  form: {
    fields: Type.Object({}),
    file: { description: "The CSV file.", maxBytes: MOST_FILE_BYTES },
  },
  answers: {
    202: {
      description: "The file is taken in; the job tells how it goes on.",
      schema: Type.Object({ jobId: Type.String(), status: Type.Enum([...bulkJobStatuses]) }),
      example: { jobId: bulkJobExample.id, status: "PENDING" },
    },
  },
  events: ["BULK_UPLOAD.COMPLETED", "BULK_UPLOAD.FAILED", ...newCustomerEvents],
  refusals: ["INVALID_INPUT", "CONFLICT"],
  handle: ({ principal, body: form }, { engine, files }: Services) =>
    keepFile(
      {
        platformId: principal.platformId,
        form,
        submit: ({ idempotency }, fileId) =>
          submitForCaller(engine, principal, {
            command: startBulkJob,
            input: { fileId },
            toAnswer: ({ id, status }) => ({
              status: 202,
              body: JSON.stringify({ jobId: toWireId("Job", id), status }),
            }),
            idempotency,
          }),
      },
      files,
    ),
});

const getBulkCustomerJob = defineOperation({
  id: "getBulkCustomerJob",
  ...route("GET /customers/bulk/jobs/{jobId}", "VIEW", "customers.read"),
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
    // Read after the job, so that every error that its state includes is in the list. Later errors are not in its counts yet.
    const errors = await listBulkJobErrors(reads, platformId, id);
    return {
      status: 200,
      body: bulkJobJson(job, errors.slice(0, job.listedErrors), { hasRows: true }),
    };
  },
});

export const bulkJobOperations = [uploadCustomersCsv, getBulkCustomerJob];
