import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createManualClock } from "../../../test/kit/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import {
  attemptFigures,
  type FailingEndpoint,
} from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import { DEFAULT_ENDPOINT, type DeliveryTarget } from "../../domain/events/stream.sql.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { randomIds } from "../../std/ids.ts";
import { silentLog } from "../../std/log.ts";
import type { MadeAttempt } from "../../webhooks/attempt-log.ts";
import type { PostAnswer } from "../../webhooks/post-event.ts";
import { LOGGED_A_SECOND } from "../prices/rate-thinning.ts";
import { createSweeper } from "../sweep.ts";
import { type AttemptLogWriter, createAttemptLogWriter } from "./attempt-log-writer.ts";
import { bodyText, headersText } from "./attempt-texts.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const ENDPOINT = "018f0000-0000-7000-8000-00000000000e";
const NOON = Date.UTC(2026, 10, 25, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let test: TestDatabase;
let database: Database;
const ids = randomIds();
const writers: AttemptLogWriter[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase({ address: test.address, log: silentLog });
});
afterEach(async () => {
  await Promise.all(writers.splice(0).map((writer) => writer.close()));
  await query("truncate webhook_attempts, webhook_endpoint_hours, webhook_endpoint_health");
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

async function query(text: string): Promise<readonly Record<string, unknown>[]> {
  return (await test.asSuperuser((client) => client.query(text))).rows;
}

const countRows = async () =>
  Number((await query("select count(*) as n from webhook_attempts"))[0]?.n);

const partitions = async () =>
  (
    await query(
      "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid " +
        "where i.inhparent = 'webhook_attempts'::regclass order by 1",
    )
  ).map(({ name }) => name);

function newWriter(of: Database = database) {
  const clock = createManualClock(NOON);
  const longFailing: FailingEndpoint[] = [];
  const onLongFailing = (endpoint: FailingEndpoint) => longFailing.push(endpoint);
  const writer = createAttemptLogWriter({ database: of, clock, log: silentLog, onLongFailing });
  writers.push(writer);
  return { ...writer, clock, longFailing };
}

interface Told {
  readonly at?: number;
  readonly status?: number | undefined;
  readonly endpointId?: string;
  readonly setting?: bigint;
  readonly totalMs?: number;
  readonly answer?: Partial<PostAnswer>;
}

function attempt({
  at = NOON,
  endpointId = ENDPOINT,
  setting = 1n,
  totalMs = 5,
  answer,
  ...more
}: Told = {}): MadeAttempt {
  const status = "status" in more ? more.status : 200;
  return {
    key: { platformId: PLATFORM, endpointId },
    target: { setting, clockOffsetMs: 0 } as DeliveryTarget,
    eventId: ids.next(at),
    number: 1,
    isDelivered: status === 200,
    answer: {
      beganAt: at,
      endedAt: at + totalMs,
      times: { connectMs: undefined, firstByteMs: 4 },
      requestHeaders: { "X-Event-Sequence": "1" },
      responseHeaders: status === undefined ? undefined : {},
      status,
      retryAfter: undefined,
      outcome: "",
      body: "",
      bodyComplete: true,
      isBatch: false,
      isSilent: false,
      isUnreachable: false,
      ...(status === undefined ? { failure: "It timed out." } : {}),
      ...answer,
    },
    ofBatch: undefined,
  };
}

describe("the writer of attempts", () => {
  it("writes half a second after an attempt, without being asked, into the day's partition", async () => {
    const { add, clock } = newWriter();
    add(attempt());
    add(attempt({ status: undefined, at: NOON - DAY }));
    await clock.advance(499);
    expect(await countRows()).toBe(0);
    await clock.advance(1);
    await expect.poll(countRows).toBe(2);
    expect(await partitions()).toEqual(
      expect.arrayContaining(["webhook_attempts_20261124", "webhook_attempts_20261125"]),
    );
    const [failed] = await query("select * from webhook_attempts where not is_delivered");
    expect(failed).toMatchObject({ status: null, error: "It timed out.", response_body: null });
  });

  it("keeps the own number of each event of a batch, and counts one failure for its request", async () => {
    const { add, flush } = newWriter();
    const of = { requestHeaders: { "X-Event-Sequence": "7,8,9", "X-Event-Count": "3" } };
    for (const sequence of [7n, 8n, 9n]) {
      const one = attempt({ status: 500, answer: { ...of, isBatch: true } });
      add({ ...one, ofBatch: { sequence, isFirst: sequence === 7n } });
    }
    await flush();
    const rows = await query("select request_headers from webhook_attempts order by 1");
    const headers = rows.map((row) => JSON.parse(String(row.request_headers)));
    expect(headers).toEqual(
      ["7", "8", "9"].map((own) => ({ "X-Event-Sequence": own, "X-Event-Count": "3" })),
    );
    expect(await query("select failures from webhook_endpoint_health")).toEqual([
      { failures: "1" },
    ]);
    const figures = await attemptFigures(database.reads.cells, PLATFORM, NOON);
    expect(figures.get(ENDPOINT)?.successRate).toBe(0);
    expect(await query("select attempts from webhook_endpoint_hours")).toEqual([{ attempts: "3" }]);
  });

  it("keeps each failure and thins successes beyond a rate, which count all the same", async () => {
    const { add, flush } = newWriter();
    for (let index = 0; index < LOGGED_A_SECOND + 100; index++) add(attempt());
    for (let index = 0; index < 50; index++) add(attempt({ status: 500 }));
    // Another platform's successes are not thinned by these.
    add({ ...attempt(), key: { platformId: ENDPOINT, endpointId: ENDPOINT } });
    await flush();
    expect(await countRows()).toBe(LOGGED_A_SECOND + 5 + 50 + 1);
    const figures = await attemptFigures(database.reads.cells, PLATFORM, NOON);
    expect(figures.get(ENDPOINT)?.successRate).toBeCloseTo(600 / 650);
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
    const { add, flush, dropped } = newWriter(slow);
    const body = "x".repeat(16_000);
    for (let index = 0; index < 1_000; index++) add(attempt({ status: 500, answer: { body } }));
    expect(dropped()).toBeGreaterThan(300);
    release();
    await flush();
    expect((await countRows()) + dropped()).toBe(1_000);
  });

  it("goes on after a write that failed, also when the partition of the day is gone", async () => {
    const { add, flush, dropped } = newWriter();
    add(attempt());
    await flush();
    await query("drop table webhook_attempts_20261125");
    add(attempt());
    await flush();
    expect(dropped()).toBe(1);
    add(attempt());
    await flush();
    expect([await countRows(), dropped()]).toEqual([1, 1]);
  });

  it("may begin a day on two servers at once", async () => {
    const both = [newWriter(), newWriter()];
    const at = NOON + 40 * DAY;
    for (const { add } of both) add(attempt({ at }));
    await Promise.all(both.map(({ flush }) => flush()));
    expect([await countRows(), both.map(({ dropped }) => dropped())]).toEqual([2, [0, 0]]);
  });

  it("is swept a day at a time", async () => {
    const { add, flush, clock } = newWriter();
    for (const at of [NOON - DAY, NOON]) add(attempt({ at }));
    await flush();
    const options = { database, clock, log: silentLog, requestLogDays: 7, attemptDays: 30 };
    const sweeper = createSweeper(options);
    await clock.advance(30 * DAY);
    await sweeper.runOnce();
    expect(await countRows()).toBe(1);
    expect(await partitions()).not.toContain("webhook_attempts_20261124");
    await clock.advance(DAY);
    await sweeper.runOnce();
    expect(await countRows()).toBe(0);
    expect(await query("select 1 from webhook_endpoint_hours")).toEqual([]);
  });
});

describe("what attempts say about an endpoint", () => {
  const health = async () =>
    (
      await query(
        "select failures::int, failing_since, last_success_at, setting::int from webhook_endpoint_health " +
          `where endpoint_id = '${ENDPOINT}'`,
      )
    )[0];
  const after = (ms: number) => new Date(NOON + ms + 5);

  it("is how long it has had nothing but failures, over several writes", async () => {
    const { add, flush } = newWriter();
    for (const at of [NOON, NOON + MINUTE]) add(attempt({ at, status: 500 }));
    await flush();
    add(attempt({ at: NOON + 2 * MINUTE, status: undefined }));
    await flush();
    expect(await health()).toMatchObject({ failures: 3, failing_since: after(0) });
    add(attempt({ at: NOON + 3 * MINUTE }));
    add(attempt({ at: NOON + 4 * MINUTE, status: 500 }));
    await flush();
    expect(await health()).toMatchObject({
      failures: 1,
      failing_since: after(4 * MINUTE),
      last_success_at: after(3 * MINUTE),
    });
    add(attempt({ at: NOON + 5 * MINUTE, status: 500, setting: 2n }));
    add(attempt({ at: NOON + 6 * MINUTE, status: 500, setting: 1n }));
    await flush();
    expect(await health()).toMatchObject({ failures: 1, setting: 2 });
  });

  it("is told after five days, with at least ten failures, unless it is the default endpoint", async () => {
    const { add, flush, longFailing } = newWriter();
    for (let index = 0; index < 8; index++) add(attempt({ status: 500 }));
    add(attempt({ status: 500, at: NOON + 6 * DAY }));
    await flush();
    expect(longFailing).toEqual([]);
    for (const endpointId of [ENDPOINT, DEFAULT_ENDPOINT]) {
      for (let index = 0; index < 12; index++) {
        add(attempt({ status: 500, endpointId, at: NOON + index * DAY }));
      }
    }
    await flush();
    expect(longFailing).toEqual([{ platformId: PLATFORM, endpointId: ENDPOINT, setting: 1n }]);
  });

  it("is its success rate and the 95th percentile of its answers over a day", async () => {
    const { add, flush } = newWriter();
    for (let index = 0; index < 90; index++) add(attempt({ totalMs: 10 }));
    for (let index = 0; index < 10; index++) add(attempt({ totalMs: 1_000, status: 500 }));
    for (let index = 0; index < 25; index++) add(attempt({ status: undefined, totalMs: 15_000 }));
    add(attempt({ at: NOON - 2 * DAY, status: 500 }));
    await flush();
    add(attempt({ totalMs: 10 }));
    await flush();
    const figures = await attemptFigures(database.reads.cells, PLATFORM, NOON);
    const { successRate, p95LatencyMs = 0 } = figures.get(ENDPOINT) ?? {};
    expect(successRate).toBeCloseTo(91 / 126);
    expect(p95LatencyMs).toBeGreaterThanOrEqual(1_000);
    expect(p95LatencyMs).toBeLessThan(1_340);
  });
});

describe("the texts of an attempt", () => {
  it("are the first kilobyte of a body, without a character that was cut or that PostgreSQL refuses", () => {
    expect(bodyText("a\0b")).toBe("a\uFFFDb");
    expect(bodyText("x".repeat(5_000))).toBe("x".repeat(1_024));
    expect(bodyText(`${"x".repeat(1_023)}é`)).toBe("x".repeat(1_023));
    expect(bodyText(`${"x".repeat(1_022)}é`)).toBe(`${"x".repeat(1_022)}é`);
    expect(bodyText("💶".repeat(300))).toBe("💶".repeat(256));
  });

  it("are headers up to a bound, without credentials", () => {
    expect(JSON.parse(headersText({ a: "1", "set-cookie": "s=1", b: "\u2028" }))).toEqual({
      a: "1",
      "set-cookie": "[hidden]",
      b: "\u2028",
    });
    const many = Object.fromEntries(
      Array.from({ length: 99 }, (_, n) => [`h${n}`, "x".repeat(99)]),
    );
    expect(headersText(many).length).toBeLessThan(5_000);
  });
});
