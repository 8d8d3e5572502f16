/** Every way of an import: from which state each command leads where, and what another worker has done meanwhile. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import {
  type BulkJob,
  type BulkJobStatus,
  bulkJobErrors,
  bulkJobStatuses,
  bulkJobs,
  MOST_LISTED_ERRORS,
  rowLabel,
} from "./bulk-job.ts";
import { endBulkJob } from "./end-bulk-job.ts";
import { recordBulkProgress, recordBulkSurvey } from "./record-bulk-progress.ts";
import { startBulkJob } from "./start-bulk-job.ts";

const idOf = (place: number) => `018f0000-0000-7000-8000-${String(place).padStart(12, "0")}`;
const [ID, FILE, QUEUED] = [idOf(1), idOf(2), idOf(3)];

const pending: BulkJob = {
  id: ID,
  tokenId: PLATFORM,
  isPerson: false,
  status: "PENDING",
  fileId: FILE,
  total: 0,
  processed: 0,
  successful: 0,
  failed: 0,
  position: 0,
  listedErrors: 0,
  createdAt: 1,
  updatedAt: 1,
  completedAt: null,
};
const running: BulkJob = {
  ...pending,
  status: "PROCESSING",
  total: 9,
  processed: 4,
  successful: 3,
  failed: 1,
};

interface Case {
  readonly job?: BulkJob | null;
}
const setting = (job: BulkJob | null) => ({
  platformId: PLATFORM,
  tables: [rowsOf(bulkJobs, ...(job === null ? [] : [job]))],
});

const errorAt = (line: number) => ({
  line,
  correlationId: rowLabel(line),
  code: "CONFLICT",
  message: "x",
  details: null,
});

const survey = ({ job = pending }: Case) =>
  decided({
    command: recordBulkSurvey,
    input: { bulkJobId: ID, total: 9, position: 20 },
    ...setting(job),
  });
const progress = ({ job = running }: Case) =>
  decided({
    command: recordBulkProgress,
    input: { bulkJobId: ID, from: 4, successful: 2, failed: 1, errors: [errorAt(7)], position: 90 },
    ...setting(job),
  });
const complete = ({ job = { ...running, processed: 9 } }: Case) =>
  decided({
    command: endBulkJob,
    input: { bulkJobId: ID, jobId: QUEUED, status: "COMPLETED", total: 9 },
    ...setting(job),
  });
const fail = ({ job = pending }: Case) =>
  decided({
    command: endBulkJob,
    input: { bulkJobId: ID, jobId: QUEUED, status: "FAILED", errors: [errorAt(0)] },
    ...setting(job),
  });

const commands = { survey, progress, complete, fail };
const names = ["survey", "progress", "complete", "fail"] as const;
const from: Readonly<Record<(typeof names)[number], BulkJobStatus>> = {
  survey: "PENDING",
  progress: "PROCESSING",
  complete: "PROCESSING",
  fail: "PENDING",
};
const fits = {
  survey: pending,
  progress: running,
  complete: { ...running, processed: 9 },
  fail: pending,
};

describe.each(names)("the command %s", (name) => {
  const run = commands[name];

  it.each(bulkJobStatuses)("on a job that is %s", (status) => {
    const expected = status === from[name] ? "decided" : `CONFLICT ${status}`;
    expect(named(run({ job: { ...fits[name], status } }).refusal, "status")).toBe(expected);
  });

  it.each(
    inOrder<Case>([
      ["BULK_UPLOAD_JOB_NOT_FOUND", { job: null }],
      ["CONFLICT", { job: { ...fits[name], processed: fits[name].processed + 1 } }],
    ]),
  )("is refused with %s, %s", (expected, _how, scene) => {
    expect(named(run(scene).refusal)).toBe(expected);
  });

  it("says how far the other worker has come", () => {
    const { refusal } = run({ job: { ...fits[name], processed: 7 } });
    expect(refusal?.message).toContain(`${from[name]} with 7 rows done`);
  });
});

describe("an import", () => {
  it("is its caller's: a token's or a person's", () => {
    const input = { fileId: FILE };
    const start = (kind: "token" | "person") =>
      decided({
        command: startBulkJob,
        input,
        platformId: PLATFORM,
        tables: [],
        actor: { kind, id: idOf(8) },
      }).output;
    expect(start("token")).toMatchObject({
      ...pending,
      id: expect.any(String),
      tokenId: idOf(8),
      createdAt: DECIDED_AT,
      updatedAt: DECIDED_AT,
    });
    expect(start("person")).toMatchObject({ tokenId: idOf(8), isPerson: true });
  });

  it("goes from its survey row by row, and counts each", () => {
    expect(survey({}).output).toMatchObject({
      status: "PROCESSING",
      total: 9,
      position: 20,
      processed: 0,
    });
    const { output, world } = progress({});
    expect(output).toMatchObject({
      processed: 7,
      successful: 5,
      failed: 2,
      position: 90,
      listedErrors: 1,
    });
    expect(written(world, bulkJobErrors)).toMatchObject([
      { jobId: ID, line: 7, correlationId: "row_7" },
    ]);
    expect(world.events).toEqual([]);
  });

  it.each([
    [0, 1],
    [MOST_LISTED_ERRORS - 1, 1],
    [MOST_LISTED_ERRORS, 0],
  ])("with %i errors keeps %i more", (listedErrors, kept) => {
    const { output, world } = progress({ job: { ...running, listedErrors } });
    expect(written(world, bulkJobErrors)).toHaveLength(kept);
    expect(output?.listedErrors).toBe(listedErrors + kept);
  });

  it("is complete with its last row, and not before", () => {
    const early = { ...running, processed: 9, total: 10 };
    expect(named(complete({ job: early }).refusal, "status")).toBe("CONFLICT PROCESSING");
    const { output, world } = complete({});
    expect(output).toMatchObject({ status: "COMPLETED", fileId: null, completedAt: DECIDED_AT });
    expect(world.events.map(({ type }) => type)).toEqual(["BULK_UPLOAD.COMPLETED"]);
    expect(world.jobs.map(({ kind, payload }) => [kind, payload])).toEqual([
      ["drop-file", { fileId: FILE }],
    ]);
    expect(world.cancelledJobs).toEqual([QUEUED]);
  });

  it("of a file that is no table fails with the reason, and imports no row", () => {
    const { output, world } = fail({});
    expect(output).toMatchObject({
      status: "FAILED",
      fileId: null,
      successful: 0,
      listedErrors: 1,
    });
    expect(written(world, bulkJobErrors)).toMatchObject([{ line: 0 }]);
    expect(world.events.map(({ type }) => type)).toEqual(["BULK_UPLOAD.FAILED"]);
    expect(world.cancelledJobs).toEqual([QUEUED]);
  });

  it("drops no file where there is none any more", () => {
    expect(complete({ job: { ...running, processed: 9, fileId: null } }).world.jobs).toEqual([]);
  });
});
