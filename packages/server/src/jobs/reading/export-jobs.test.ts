/** The runs of an export: part by part, killed in between, on two servers at a time, too large. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { fundedCustomer, openStory, type Story } from "../../../test/kit/story.ts";
import { startTestServer, type TestServer } from "../../../test/kit/test-server.ts";
import {
  type Export,
  exports,
  MOST_BYTES,
  MOST_ROWS,
} from "../../domain/reading/exports/export.ts";
import { recordExportPart } from "../../domain/reading/exports/record-export-part.ts";
import type { Engine } from "../../engine/engine.ts";
import { createExportRows } from "../../http/operations/reading/export-kinds.ts";
import { createSealedFiles, type SealedFiles } from "../../secrets/sealed-files.ts";
import { type Clock, systemClock } from "../../std/clock.ts";
import { silentLog } from "../../std/log.ts";
import type { JobOf } from "../job-runners.ts";
import { createSweeper } from "../sweep.ts";
import { exportJobRunners } from "./export-jobs.ts";

let server: TestServer;
let story: Story;
let files: SealedFiles;

beforeAll(async () => {
  server = await startTestServer();
  story = await openStory(server);
  const { accountId } = await fundedCustomer(story, 1);
  for (let round = 0; round < 60; round++) {
    const fund = () =>
      story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 1 });
    await Promise.all(Array.from({ length: 10 }, fund));
  }
  await server.app.jobs.stop();
  const { database, dataSealer } = server.app.store;
  files = createSealedFiles({ database, sealer: dataSealer, clock: systemClock });
});
afterAll(async () => {
  await files.close();
  await server.close();
});

/** Each time that it is read, a run's time is over. */
function hastyClock(): Clock {
  let now = systemClock.now();
  return { ...systemClock, now: () => (now += 4_000) };
}

function runners(engine: Pick<Engine, "submit"> = server.app.engine) {
  const { reads } = server.app.store.database;
  const requestLogs = {
    keyDigest: () => "",
    contentOf: async () => undefined,
  };
  return exportJobRunners({
    engine: engine as Engine,
    reads,
    files,
    clock: hastyClock(),
    rows: createExportRows({ reads, requestLogs }),
  });
}

async function ordered(): Promise<{ readonly id: string; readonly job: JobOf<"make-export"> }> {
  const { json } = await story.call("POST", "/exports", { kind: "EVENTS", format: "CSV" });
  const exportId = json.id.replace("Export:", "");
  const { rows } = await server.database.asSuperuser((client) =>
    client.query("select id from jobs where kind = 'make-export' and payload->>'exportId' = $1", [
      exportId,
    ]),
  );
  const { platformId } = story;
  const times = { attempts: 1, platformTime: 0, leasedUntil: 0 };
  const job = { id: rows[0].id, platformId, kind: "make-export", payload: { exportId }, ...times };
  return { id: json.id, job };
}

const lines = async (id: string) =>
  (await story.call("GET", `/exports/${id}/file`)).text.split("\r\n").slice(1, -1);

const read = async (id: string) => (await story.call("GET", `/exports/${id}`)).json;

/** The sequences from the first to the last event. */
function expectWhole(found: readonly string[], last: number): void {
  const sequences = found.map((line) => Number(line.slice(0, line.indexOf(","))));
  expect(sequences).toEqual(Array.from({ length: last }, (_, index) => index + 1));
}

const filesLeft = async () => {
  const { rows } = await server.database.asSuperuser((client) =>
    client.query(
      "select count(distinct c.file_id)::int4 as count from file_chunks c " +
        "where not exists (select from export_parts p where p.platform_id = c.platform_id and p.id = c.file_id)",
    ),
  );
  return rows[0].count;
};

describe("an export", () => {
  it("is written a part a run, for the moment of the first one", async () => {
    const { id, job } = await ordered();
    const run = runners()["make-export"];
    expect(await run(job)).toEqual({ kind: "again", inMs: 0 });
    const begun = await read(id);
    expect(begun).toMatchObject({ state: "PENDING", rows: expect.any(Number) });
    expect(begun.rows).toBeLessThan(begun.sequence);
    const { accountId } = await fundedCustomer(story, 1);
    expect(accountId).toBeDefined();
    expect(await run(job)).toEqual({ kind: "again", inMs: 0 });
    expect(await run(job)).toEqual({ kind: "done" });
    const ready = await read(id);
    expect(ready).toMatchObject({ state: "READY", sequence: begun.sequence, rows: begun.sequence });
    expectWhole(await lines(id), begun.sequence);
    expect(await run(job)).toEqual({ kind: "done" });
  });

  it("goes on where it was when a run died before its part was recorded", async () => {
    const { id, job } = await ordered();
    const dying = { submit: () => Promise.reject(new Error("the process died")) };
    await runners()["make-export"](job);
    await expect(runners(dying)["make-export"](job)).rejects.toThrow("the process died");
    expect(await filesLeft()).toBe(1);
    const run = runners()["make-export"];
    await run(job);
    await run(job);
    const { sequence } = await read(id);
    expectWhole(await lines(id), sequence);
    const later = { ...systemClock, now: () => systemClock.now() + 2 * 3_600_000 };
    const { database } = server.app.store;
    await createSweeper({
      database,
      clock: later,
      log: silentLog,
      requestLogDays: 7,
      attemptDays: 30,
    }).runOnce();
    expect(await filesLeft()).toBe(0);
    expectWhole(await lines(id), sequence);
  });

  it("has each row once when two servers write it", async () => {
    const { id, job } = await ordered();
    const [one, other] = [runners()["make-export"], runners()["make-export"]];
    while ((await read(id)).state === "PENDING") await Promise.all([one(job), other(job)]);
    expectWhole(await lines(id), (await read(id)).sequence);
    expect(await filesLeft()).toBe(0);
  });
});

const pending: Export = {
  id: "019a4f00-0000-7000-8000-000000000001",
  kind: "EVENTS",
  format: "CSV",
  audience: "PROGRAMS",
  timeZone: null,
  filter: {},
  state: "PENDING",
  commandSeq: null,
  eventSeq: null,
  asOf: null,
  position: null,
  parts: 3,
  rowCount: MOST_ROWS - 10,
  changedRows: 0,
  bytes: 0n,
  failure: null,
  createdAt: DECIDED_AT,
  completedAt: null,
  expiresAt: null,
};

describe("the part of an export", () => {
  const record = (change: Partial<Export>, rowCount: number) => {
    const input = {
      exportId: pending.id,
      jobId: "019a4f00-0000-7000-8000-000000000002",
      number: 3,
      seen: { commandSeq: 1n, eventSeq: 1n, asOf: DECIDED_AT },
      fileId: "019a4f00-0000-7000-8000-000000000003",
      bytes: 10,
      rowCount,
      changedRows: 0,
      position: "7",
      isLast: false,
    };
    const tables = [rowsOf(exports, { ...pending, ...change })];
    const scene = { command: recordExportPart, input, platformId: story.platformId, tables };
    return recordExportPart.decide(worldFor(scene), input);
  };

  it.each([
    ["as many rows as there may be", {}, 10, "PENDING", undefined],
    ["one row more", {}, 11, "FAILED", /more than 1000000 rows\. Narrow the filter/],
    ["as many bytes", { bytes: BigInt(MOST_BYTES) - 10n }, 1, "PENDING", undefined],
    [
      "one byte more",
      { bytes: BigInt(MOST_BYTES) - 9n },
      1,
      "FAILED",
      /more than 2147483648 bytes/,
    ],
  ])("with %s leaves it %#", (_what, change, rowCount, state, failure) => {
    const recorded = record(change, rowCount);
    expect(recorded?.state).toBe(state);
    if (failure !== undefined) expect(recorded?.failure).toMatch(failure);
  });

  it.each([
    ["another server's part", { parts: 4 }],
    ["another server's end", { state: "READY" as const, completedAt: DECIDED_AT }],
  ])("behind %s changes nothing", (_what, change) => {
    expect(record(change, 1)).toBeUndefined();
  });
});
