import Type from "typebox";
import { bulkJobStatuses } from "../../../../domain/customers/bulk-jobs/bulk-job.ts";
import { startBulkJob } from "../../../../domain/customers/bulk-jobs/start-bulk-job.ts";
import { toWireId } from "../../../../std/ids.ts";
import { bulkJobExample } from "../../../../wire/customers/bulk-job.ts";
import {
  columnsDescription,
  MOST_FILE_BYTES,
} from "../../../../wire/customers/customer-columns.ts";
import { defineUpload } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { keepFile } from "../../../upload/keep-file.ts";

export const uploadCustomersCsv = defineUpload({
  id: "uploadCustomersCsv",
  method: "POST",
  path: "/customers/bulk/csv",
  access: "MANAGE",
  capability: "customers.write",
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
