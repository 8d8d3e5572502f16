import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  type BulkJob,
  type BulkJobStatus,
  bulkJobErrors,
  bulkJobs,
  MOST_LISTED_ERRORS,
} from "./bulk-job.ts";
import { recordBulkProgress } from "./record-bulk-progress.ts";
import { startBulkJob } from "./start-bulk-job.ts";

const idOf = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, "0")}`;

const job = (number: number, status: BulkJobStatus): BulkJob => ({
  id: idOf(number),
  tokenId: PLATFORM,
  isPerson: false,
  status,
  fileId: null,
  total: 0,
  processed: 0,
  successful: 0,
  failed: 0,
  position: 0,
  listedErrors: 0,
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  completedAt: null,
});

function startedBeside(statuses: readonly BulkJobStatus[]) {
  const input = { fileId: idOf(900), tokenId: PLATFORM };
  const jobs = statuses.map((status, index) => job(index, status));
  const tables = [rowsOf(bulkJobs, ...jobs)];
  const world = worldFor({ command: startBulkJob, input, platformId: PLATFORM, tables });
  const refusal = refusalOf(world, () => startBulkJob.decide(world, input));
  return refusal?.code ?? world.jobs.map(({ kind }) => kind);
}

const many = (count: number, status: BulkJobStatus) => Array.from({ length: count }, () => status);

describe("a file of customers", () => {
  it("is the sixteenth of its platform that is not done, at most", () => {
    const fifteen = [...many(7, "PENDING"), ...many(8, "PROCESSING")];
    expect(startedBeside(fifteen)).toEqual(["import-customers"]);
    expect(startedBeside([...fifteen, "PENDING"])).toBe("CONFLICT");
  });

  it("does not wait for those that are done, however many there were", () => {
    expect(startedBeside([...many(20, "COMPLETED"), ...many(20, "FAILED")])).toEqual([
      "import-customers",
    ]);
  });
});

it("a job keeps its first errors over all its groups of rows, and counts the rest", () => {
  const before = { ...job(1, "PROCESSING"), total: 9_000, processed: 5, failed: 5 };
  const listedErrors = MOST_LISTED_ERRORS - 2;
  const errors = [6, 7, 8].map((line) => ({
    line,
    correlationId: `row_${line}`,
    code: "CONFLICT",
    message: "x",
    details: null,
  }));
  const counts = { from: 5, successful: 1, failed: 3, position: 70 };
  const input = { bulkJobId: before.id, ...counts, errors };
  const tables = [rowsOf(bulkJobs, { ...before, listedErrors })];
  const world = worldFor({ command: recordBulkProgress, input, platformId: PLATFORM, tables });
  expect(recordBulkProgress.decide(world, input)).toMatchObject({
    processed: 9,
    successful: 1,
    failed: 8,
    position: 70,
    listedErrors: MOST_LISTED_ERRORS,
  });
  expect(world.dirty.get(bulkJobErrors)?.size).toBe(2);
  // The same rows by another server, from where this one began.
  expect(() => recordBulkProgress.decide(world, input)).toThrow(Refusal);
});
