/** Every way of an export: how many run, what each part adds, when it fails, and how long its file is kept. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { createExport, MOST_UNFINISHED } from "./create-export.ts";
import {
  type Export,
  exportFormats,
  exportKinds,
  exportParts,
  exportStates,
  exports,
  KEPT_MS,
  MOST_BYTES,
  MOST_ROWS,
  refuseUnready,
} from "./export.ts";
import { recordExportDropped, recordExportPart, type WrittenPart } from "./record-export-part.ts";

const idOf = (place: number) => `018f0000-0000-7000-8000-${String(place).padStart(12, "0")}`;
const [ID, FILE, JOB] = [idOf(1), idOf(2), idOf(3)];

const pending: Export = {
  id: ID,
  kind: "LEDGER",
  format: "CSV",
  audience: "PROGRAMS",
  timeZone: null,
  filter: {},
  state: "PENDING",
  commandSeq: null,
  eventSeq: null,
  asOf: null,
  position: null,
  parts: 0,
  rowCount: 0,
  changedRows: 0,
  bytes: 0n,
  failure: null,
  createdAt: 1,
  completedAt: null,
  expiresAt: null,
};

const several = (count: number, state: Export["state"]) =>
  Array.from({ length: count }, (_, place) => ({ ...pending, id: idOf(100 + place), state }));

describe("a new export", () => {
  const create = (others: readonly Export[], order: Partial<Export> = {}) =>
    decided({
      command: createExport,
      input: { ...pending, ...order, filter: { type: "X" } },
      platformId: PLATFORM,
      tables: [rowsOf(exports, ...others)],
    });

  it.each<[number, Export["state"], string]>([
    [MOST_UNFINISHED - 1, "PENDING", "decided"],
    [MOST_UNFINISHED, "PENDING", "CONFLICT"],
    [MOST_UNFINISHED, "READY", "decided"],
    [MOST_UNFINISHED, "FAILED", "decided"],
    [MOST_UNFINISHED, "EXPIRED", "decided"],
  ])("beside %i that are %s is %s", (count, state, expected) => {
    expect(named(create(several(count, state)).refusal)).toBe(expected);
  });

  it.each(exportKinds.flatMap((kind) => exportFormats.map((format) => [kind, format] as const)))(
    "of %s as %s waits for a worker",
    (kind, format) => {
      const { output, world } = create([], { kind, format });
      expect(output).toEqual({
        ...pending,
        id: output?.id,
        kind,
        format,
        filter: { type: "X" },
        createdAt: DECIDED_AT,
      });
      expect(world.jobs.map((job) => [job.kind, job.payload, job.dueAt])).toEqual([
        ["make-export", { exportId: output?.id }, DECIDED_AT],
      ]);
    },
  );
});

const part: WrittenPart = {
  exportId: ID,
  jobId: JOB,
  number: 0,
  seen: { commandSeq: 5n, eventSeq: 6n, asOf: 7 },
  fileId: FILE,
  bytes: 10,
  rowCount: 3,
  changedRows: 1,
  position: "p1",
  isLast: false,
};

const record = (before: Export, more: Partial<WrittenPart> = {}) =>
  decided({
    command: recordExportPart,
    input: { ...part, ...more },
    platformId: PLATFORM,
    tables: [rowsOf(exports, before)],
  });

const dropOf = ({ world }: ReturnType<typeof record>) =>
  world.jobs.map(({ kind, dueAt }) => [kind, dueAt]);

describe("a part of an export", () => {
  it("adds to what there is, and the job goes on", () => {
    const before = { ...pending, parts: 2, rowCount: 10, changedRows: 2, bytes: 100n };
    const { output, world } = record(before, { number: 2 });
    expect(output).toMatchObject({
      state: "PENDING",
      ...part.seen,
      position: "p1",
      parts: 3,
      rowCount: 13,
      changedRows: 3,
      bytes: 110n,
    });
    expect(written(world, exportParts)).toEqual([{ id: FILE, exportId: ID, number: 2, bytes: 10 }]);
    expect([world.jobs, world.cancelledJobs]).toEqual([[], []]);
  });

  it("without rows has no file and keeps the place of the last row", () => {
    const before = { ...pending, position: "p0", parts: 1 };
    const empty = {
      number: 1,
      fileId: null,
      rowCount: 0,
      changedRows: 0,
      bytes: 0,
      position: null,
    };
    const { output, world } = record(before, { ...empty, isLast: true });
    expect(output).toMatchObject({ state: "READY", position: "p0", parts: 2 });
    expect(written(world, exportParts)).toEqual([]);
  });

  it.each<[string, Export, Partial<WrittenPart>]>([
    ["another server has recorded it", { ...pending, parts: 1 }, {}],
    ["an earlier one is missing", pending, { number: 1 }],
    ...exportStates
      .filter((state) => state !== "PENDING")
      .map((state): [string, Export, object] => [
        `the export is ${state}`,
        { ...pending, state },
        {},
      ]),
  ])("changes nothing where %s", (_why, before, more) => {
    const { output, world } = record(before, more);
    expect([output, world.isEmpty]).toEqual([undefined, true]);
  });

  it("that is the last one makes the file ready, for seven days", () => {
    const made = record(pending, { isLast: true });
    expect(made.output).toMatchObject({
      state: "READY",
      completedAt: DECIDED_AT,
      expiresAt: DECIDED_AT + KEPT_MS,
      failure: null,
    });
    expect(dropOf(made)).toEqual([["drop-export", DECIDED_AT + 7 * 86_400_000]]);
    expect(made.world.cancelledJobs).toEqual([JOB]);
  });

  it.each<[string, Partial<Export>, Partial<WrittenPart>, Export["state"]]>([
    ["as many rows as it may have", { rowCount: MOST_ROWS - 3 }, {}, "PENDING"],
    ["one row more", { rowCount: MOST_ROWS - 2 }, {}, "FAILED"],
    ["one row more, in its last part", { rowCount: MOST_ROWS - 2 }, { isLast: true }, "FAILED"],
    [
      "as many bytes as it may have",
      { bytes: BigInt(MOST_BYTES) - 10n },
      { isLast: true },
      "READY",
    ],
    ["one byte more", { bytes: BigInt(MOST_BYTES) - 9n }, { isLast: true }, "FAILED"],
  ])("with %s leaves it as it must be", (_what, more, last, state) => {
    const made = record({ ...pending, ...more }, last);
    expect(made.output?.state).toBe(state);
    if (state !== "FAILED") return;
    expect(made.output).toMatchObject({ completedAt: DECIDED_AT, expiresAt: null });
    expect(made.output?.failure).toContain("Narrow the filter");
    // What was written is deleted at once.
    expect(dropOf(made)).toEqual([["drop-export", DECIDED_AT]]);
    expect(made.world.cancelledJobs).toEqual([JOB]);
  });
});

describe("the file of an export", () => {
  it.each<[Export["state"], Export["state"]]>([
    ["PENDING", "PENDING"],
    ["READY", "EXPIRED"],
    ["FAILED", "FAILED"],
    ["EXPIRED", "EXPIRED"],
  ])("of one that is %s is deleted, which leaves it %s", (state, expected) => {
    const { output, world } = decided({
      command: recordExportDropped,
      input: { exportId: ID, jobId: JOB },
      platformId: PLATFORM,
      tables: [rowsOf(exports, { ...pending, state })],
    });
    expect([output?.state, world.cancelledJobs]).toEqual([expected, [JOB]]);
    expect(written(world, exports)).toHaveLength(state === "READY" ? 1 : 0);
  });

  it.each(exportStates)("of one that is %s is read or refused", (state) => {
    const read = () => refuseUnready({ ...pending, state, failure: "Too long." });
    if (state === "READY") expect(read).not.toThrow();
    else expect(read).toThrow(Refusal);
    if (state === "FAILED") expect(read).toThrow("The export has FAILED. Too long.");
    if (state === "EXPIRED") expect(read).toThrow("7 days");
    if (state === "PENDING") expect(read).toThrow("PENDING");
  });
});
