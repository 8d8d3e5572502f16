import Type from "typebox";
import {
  type BulkJob,
  type BulkJobError,
  bulkJobStatuses,
} from "../../domain/customers/bulk-jobs/bulk-job.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const BulkJobSchema = Type.Object(
  {
    id: Type.String({ description: "`Job:<uuid>`" }),
    status: Type.Enum([...bulkJobStatuses]),
    progress: Type.Object({
      total: count("Rows of the file; 0 until it was looked through."),
      processed: count("Rows that were taken or refused."),
      successful: count("Customers made."),
      failed: count("Rows refused."),
    }),
    errors: Type.Array(
      Type.Object({
        row: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              "The row's number in the file, from 1; 0 is the header. Empty lines are not counted. Absent in events.",
          }),
        ),
        correlationId: Type.String({
          description: "The row's `platformCustomerId`, or its number, such as `row_1`.",
        }),
        code: listedText("RefusalCode"),
        message: Type.String(),
        details: Type.Optional(Type.Object({}, { additionalProperties: true })),
      }),
      { description: "The first 1,000 refused rows, in the file's order." },
    ),
    completedAt: Type.Optional(DateTimeSchema),
  },
  { $id: "BulkJob" },
);

/** Errors in events have no row numbers (`hasRows`), so that the events stay as receivers know them. */
export function bulkJobJson(
  job: BulkJob,
  errors: readonly BulkJobError[],
  { hasRows }: { readonly hasRows: boolean },
): string {
  const { total, processed, successful, failed } = job;
  return JSON.stringify({
    id: toWireId("Job", job.id),
    status: job.status,
    progress: { total, processed, successful, failed },
    errors: errors.map(({ line, correlationId, code, message, details }) => ({
      ...(hasRows ? { row: line } : {}),
      correlationId,
      code,
      message,
      ...optional("details", details),
    })),
    ...(job.completedAt === null ? {} : { completedAt: toIso(job.completedAt) }),
  });
}

export const bulkJobExample = {
  id: "Job:019a4f00-0000-7000-8000-00000000000a",
  status: "COMPLETED",
  progress: { total: 5000, processed: 5000, successful: 4999, failed: 1 },
  errors: [
    {
      row: 17,
      correlationId: "ana-1",
      code: "CONFLICT",
      message: "A customer with this id exists.",
      details: { field: "platformCustomerId" },
    },
  ],
  completedAt: "2026-11-21T09:01:00.000Z",
};
