/** The import of customers from a file: its progress, and the rows that were refused. */
import type { Loaded, Subject } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import type { JsonObject } from "../../../std/json.ts";
import {
  defineLookup,
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";

/**
 * PENDING     the file was not read yet; leaves to PROCESSING, or to FAILED when it is not a table of customers
 * PROCESSING  rows are being imported; leaves to COMPLETED after the last row, imported or refused
 * COMPLETED   final
 * FAILED      final; no row was imported
 */
export const bulkJobStatuses = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const;

export type BulkJobStatus = (typeof bulkJobStatuses)[number];

const bulkJobColumns = {
  id: fixed("uuid"),
  /** The token or the person that started the import; its customers are created in this name. */
  tokenId: fixed("uuid"),
  isPerson: fixed("bool"),
  status: mutable<BulkJobStatus>("text"),
  /** Null after the file is released. */
  fileId: mutable<string | null>("uuid"),
  total: mutable("int4"),
  processed: mutable("int4"),
  successful: mutable("int4"),
  failed: mutable("int4"),
  /** Where in the file the next row begins, in bytes. */
  position: mutable("int4"),
  /** How many errors are kept with the job. */
  listedErrors: mutable("int4"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  completedAt: mutable<number | null>("time"),
};

export interface BulkJob extends RowOf<typeof bulkJobColumns> {}

export const bulkJobs = defineTable<BulkJob>("bulk_jobs", bulkJobColumns);

const bulkJobErrorColumns = {
  id: fixed("uuid"),
  jobId: fixed("uuid"),
  /** The row's number in the file, from 1; 0 is the header. */
  line: fixed("int4"),
  correlationId: fixed("text"),
  code: fixed("text"),
  message: fixed("text"),
  details: fixed<JsonObject | null>("json"),
};

export interface BulkJobError extends RowOf<typeof bulkJobErrorColumns> {}

/** The reason why a row or the file was refused. */
export type RowError = Omit<BulkJobError, "id" | "jobId">;

export const bulkJobErrors = defineTable<BulkJobError>("bulk_job_errors", bulkJobErrorColumns);

export const errorsOfBulkJob = defineLookup(bulkJobErrors, { by: "jobId" });

/** A job stores at most this many errors, the first ones. All errors are counted. */
export const MOST_LISTED_ERRORS = 1_000;

export const unfinishedBulkJobs = defineSelection(bulkJobs, {
  name: "unfinished",
  sql: "t.status in ('PENDING', 'PROCESSING')",
  holds: ({ status }) => status === "PENDING" || status === "PROCESSING",
});

export function rowLabel(line: number): string {
  return `row_${line}`;
}

export interface BulkJobSubject extends Subject {
  readonly kind: "BulkJob";
  readonly job: BulkJob;
  readonly errors: readonly BulkJobError[];
}

export function bulkJobSubject(world: Loaded, job: BulkJob): BulkJobSubject {
  const errors = [...world.all(errorsOfBulkJob.of(job.id))].sort(
    (left, right) => left.line - right.line,
  );
  return { kind: "BulkJob", id: toWireId("Job", job.id), job, errors };
}

export function movedOn({ status, processed }: BulkJob): Refusal {
  const message = `The bulk upload is ${status} with ${processed} rows done; another worker has been here since.`;
  return new Refusal("CONFLICT", { status }, message);
}

/** The job, if its state is the one that the worker read; CONFLICT when another worker has changed it since. */
export function requireUnchanged(
  world: Loaded,
  expected: {
    readonly bulkJobId: string;
    readonly status: BulkJobStatus;
    readonly processed: number;
  },
): BulkJob {
  const job = world.find(bulkJobs.ref(expected.bulkJobId));
  if (job === undefined) throw new Refusal("BULK_UPLOAD_JOB_NOT_FOUND");
  if (job.status !== expected.status || job.processed !== expected.processed) {
    throw movedOn(job);
  }
  return job;
}
