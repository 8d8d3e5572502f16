import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { PLATFORM } from "../../../test/kit/payment-rows.ts";
import { type BulkJob, type BulkJobStatus, bulkJobs } from "./bulk-job.ts";
import { startBulkJob } from "./start-bulk-job.ts";

const idOf = (number: number) => `018f0000-0000-7000-8000-${String(number).padStart(12, "0")}`;

const job = (number: number, status: BulkJobStatus): BulkJob => ({
  id: idOf(number),
  tokenId: PLATFORM,
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
