import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { testSealer } from "../../../test/kit/bookkeeping.ts";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import type { CallKind, LoggedCall } from "../../domain/reading/request-logs/request-log.port.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { silentLog } from "../../std/log.ts";
import { LOGGED_A_SECOND } from "../prices/rate-thinning.ts";
import { createSweeper } from "../sweep.ts";
import { createDailyBudget } from "./daily-budget.ts";
import { createRequestLogWriter, type RequestLogWriter } from "./request-log-writer.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const NOON = Date.UTC(2026, 10, 25, 12);

let test: TestDatabase;
let database: Database;
const writers: RequestLogWriter[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ address: test.address, log: silentLog });
});
afterEach(async () => {
  await Promise.all(writers.splice(0).map((writer) => writer.close()));
  await query("truncate request_logs, request_log_contents, request_log_days");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await test.asSuperuser((client) => client.query(text))).rows;
}

const countRows = async (): Promise<number> =>
  Number((await query("select count(*) as n from request_logs"))[0]?.n);

async function newWriter(rowsPerDay = 1_000, at = NOON, of: Database = database) {
  const clock = createManualClock(at);
  const writer = createRequestLogWriter({
    database: of,
    sealer: testSealer,
    digestKey: "a key for tests",
    clock,
    log: silentLog,
    rowsPerDay,
  });
  writers.push(writer);
  await writer.start();
  return { ...writer, clock };
}

function call(more: Partial<LoggedCall> = {}): LoggedCall {
  return {
    platformId: PLATFORM,
    createdAt: NOON,
    method: "GET",
    path: "/config",
    operationId: "getConfig",
    status: 200,
    errorCode: null,
    durationMs: 1,
    requestBytes: 0,
    responseBytes: 2,
    actorId: PLATFORM,
    isAgent: false,
    isPerson: false,
    address: "127.0.0.1",
    requestId: "r",
    resourceId: null,
    idempotencyKey: undefined,
    replayed: false,
    sampledOneIn: 1,
    content: '{"headers":{}}',
    ...more,
  };
}

function logCalls(writer: RequestLogWriter, kind: CallKind, times: number): number {
  let logged = 0;
  for (let index = 0; index < times; index++) {
    const sampledOneIn = writer.admit(kind);
    if (sampledOneIn === 0) continue;
    writer.add(call({ sampledOneIn }));
    logged += 1;
  }
  return logged;
}

it("writes half a second after a call, without a flush", async () => {
  const writer = await newWriter();
  logCalls(writer, "READ", 3);
  await writer.clock.advance(499);
  expect(await countRows()).toBe(0);
  await writer.clock.advance(1);
  await expect.poll(countRows).toBe(3);
});

it("writes on a connection of its own", async () => {
  const writer = await newWriter();
  logCalls(writer, "READ", 1);
  await writer.flush();
  const names = await query(
    "select count(*)::int as n from pg_stat_activity where application_name = 'florin request log'",
  );
  expect(names[0]?.n).toBeGreaterThan(0);
});

it("seals contents, and finds a key by a digest alone", async () => {
  const writer = await newWriter();
  writer.admit("CHANGE");
  writer.add(call({ idempotencyKey: "canary-key", content: '{"canary":"canary-body"}' }));
  await writer.flush();
  const all = await query(
    "select t::text as row, encode(c.sealed, 'escape') as sealed from request_logs t join request_log_contents c on c.platform_id = t.platform_id and c.id = t.content_id",
  );
  expect(all).toHaveLength(1);
  expect(JSON.stringify(all)).not.toContain("canary");
});

it("seals small calls together, also behind a large one", async () => {
  const writer = await newWriter();
  for (const content of [JSON.stringify("x".repeat(300_000)), ...Array(10).fill("{}")]) {
    writer.admit("CHANGE");
    writer.add(call({ content }));
  }
  await writer.flush();
  const contents = await query(
    "select count(*)::int as calls from request_logs group by content_id order by 1",
  );
  expect(contents).toEqual([{ calls: 1 }, { calls: 10 }]);
});

it("holds its daily limit at ten times as many calls, and thins reads before changes before refusals", async () => {
  const limit = 1_000;
  const writer = await newWriter(limit);
  for (let round = 0; round < 100; round++) {
    logCalls(writer, "READ", 80);
    logCalls(writer, "CHANGE", 15);
    logCalls(writer, "REFUSAL", 5);
    if (round % 10 === 9) await writer.flush();
  }
  expect(await countRows()).toBeLessThanOrEqual(limit);
  expect(await query("select row_count::int as n from request_log_days")).toEqual([
    { n: await countRows() },
  ]);
  const sampled = await query(
    "select distinct sampled_one_in as n from request_logs order by sampled_one_in",
  );
  expect(sampled.map(({ n }) => n)).toEqual(expect.arrayContaining([1, 10]));
});

it("a budget thins in the order of the kinds, and starts again on the next day", () => {
  const budget = createDailyBudget(100);
  const kept = (kind: CallKind, times: number, at = NOON) =>
    Array.from({ length: times }, () => budget.take(kind, at)).filter((oneIn) => oneIn > 0);
  expect(kept("READ", 80)).toEqual(Array(80).fill(1));
  expect(kept("READ", 30)).toEqual([10, 10, 10]);
  expect(kept("CHANGE", 7)).toEqual(Array(7).fill(1));
  expect(kept("CHANGE", 10)).toEqual([10]);
  expect(kept("REFUSAL", 4)).toEqual([1, 1, 1, 1]);
  expect(kept("REFUSAL", 50)).toEqual([10, 10, 10, 10, 10]);
  expect(kept("REFUSAL", 1_000)).toEqual([]);
  expect(kept("READ", 1, NOON + 86_400_000)).toEqual([1]);
});

it("a budget thins successes beyond a rate, and no refusal", () => {
  const budget = createDailyBudget(1_000_000);
  const kept = (kind: CallKind, times: number, at: number) =>
    Array.from({ length: times }, () => budget.take(kind, at)).filter((stands) => stands > 0);
  expect(kept("CHANGE", LOGGED_A_SECOND, NOON)).toHaveLength(LOGGED_A_SECOND);
  expect(kept("CHANGE", 45, NOON)).toEqual([20, 20]);
  expect(kept("REFUSAL", 50, NOON)).toHaveLength(50);
  // Five calls were left out before.
  expect(kept("CHANGE", 2, NOON + 1_000)).toEqual([6, 1]);
});

it("counts the rows of other servers", async () => {
  const first = await newWriter(100);
  logCalls(first, "CHANGE", 90);
  await first.flush();
  const second = await newWriter(100);
  expect(logCalls(second, "READ", 100)).toBe(1);
});

it("drops and counts what it cannot hold while the database is slow, and never waits", async () => {
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Database = {
    ...database,
    openLane: async (name) => {
      const lane = await database.openLane(name);
      return { ...lane, run: async (steps) => isReleased.then(() => lane.run(steps)) };
    },
  };
  const clock = createManualClock(NOON);
  const writer = createRequestLogWriter({
    database: slow,
    sealer: testSealer,
    digestKey: "a key for tests",
    clock,
    log: silentLog,
    rowsPerDay: 1_000_000,
  });
  writers.push(writer);
  const content = JSON.stringify({ headers: {}, requestBody: "x".repeat(30_000) });
  let heldChars = 0;
  for (let index = 0; index < 3_200; index++) {
    if (writer.admit("REFUSAL") === 0) continue;
    writer.add(call({ content }));
    heldChars += content.length;
  }
  expect(2 * heldChars).toBeLessThan(17 * 1024 * 1024);
  expect(writer.dropped()).toBeGreaterThan(2_000);
  release();
  await writer.flush();
  expect(writer.admit("REFUSAL")).toBe(1);
});

it("counts the calls of a write that failed, and writes the next ones", async () => {
  const writer = await newWriter();
  await query("alter table request_logs rename to request_logs_away");
  logCalls(writer, "READ", 2);
  await writer.flush();
  expect(writer.dropped()).toBe(2);
  await query("alter table request_logs_away rename to request_logs");
  logCalls(writer, "READ", 1);
  await writer.flush();
  expect(await countRows()).toBe(1);
  expect(writer.dropped()).toBe(2);
});

it("is deleted after its days, and not before", async () => {
  const writer = await newWriter();
  logCalls(writer, "READ", 3);
  await writer.flush();
  const { clock } = writer;
  const sweeper = createSweeper({
    database,
    clock,
    log: silentLog,
    requestLogDays: 7,
    attemptDays: 30,
  });
  await clock.advance(7 * 86_400_000);
  await sweeper.runOnce();
  expect(await countRows()).toBe(3);
  await clock.advance(86_400_000);
  await sweeper.runOnce();
  const left = await query(
    "select (select count(*) from request_logs) + (select count(*) from request_log_contents) + (select count(*) from request_log_days) as n",
  );
  expect(left).toEqual([{ n: "0" }]);
});

it("keeps the contents, by which old calls are found, while the calls cannot be deleted", async () => {
  const writer = await newWriter();
  logCalls(writer, "READ", 3);
  await writer.flush();
  const { clock } = writer;
  const log = silentLog;
  const sweeper = createSweeper({ database, clock, log, requestLogDays: 7, attemptDays: 30 });
  await clock.advance(9 * 86_400_000);
  await query("alter table request_logs rename to request_logs_away");
  await sweeper.runOnce();
  await query("alter table request_logs_away rename to request_logs");
  expect(await countRows()).toBe(3);
  await sweeper.runOnce();
  expect(await countRows()).toBe(0);
});
