/** Walks of the request log: calls that no index leads to, and what a page of a large log reads. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../../../postgres/database.ts";
import { BEFORE_ALL_IDS } from "../../../std/ids.ts";
import { silentLog } from "../../../std/log.ts";
import {
  type CallFilter,
  listRequestLogs,
  MOST_WALKED,
  newRequestLogs,
} from "./request-log.sql.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const COUNT = MOST_WALKED + 5_000;

let place: TestDatabase;
let database: Database;
beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  await place.asSuperuser(async (client) => {
    // The first and the last call are of a rare path, and were refused.
    await client.query(
      "insert into request_logs (platform_id, id, created_at, method, path, operation_id, status, duration_ms, request_bytes, " +
        "response_bytes, actor_id, is_agent, address, request_id, replayed, sampled_one_in, content_id, content_place) " +
        "select $1, ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), 'POST', " +
        "case when n in (1, $2::int8) then '/rare' else '/common' end, 'one', " +
        "case when n in (1, $2::int8) then 400 else 200 end, 3, 0, 0, $1, false, '', " +
        "'request-' || n, false, 1, $1, 0 from generate_series(1, $2::int8) n",
      [PLATFORM, COUNT],
    );
    await client.query("analyze request_logs");
  });
});
afterAll(async () => {
  await database.close();
  await place.drop();
});

const RARE: CallFilter = { walked: [], shown: [{ sql: "t.path = ?::text", value: "/rare" }] };
const REFUSED: CallFilter = { walked: [{ sql: "t.status >= 400" }], shown: RARE.shown };

const page = (filter: CallFilter, after?: string) =>
  listRequestLogs(database.reads, { platformId: PLATFORM, filter, after, limit: 2 });
const numbers = (rows: readonly { readonly requestId: string }[]) =>
  rows.map(({ requestId }) => Number(requestId.replace("request-", "")));

describe("calls that no index leads to", () => {
  it("are looked for in a bounded number of calls a page, and the next page goes on behind them", async () => {
    const first = await page(RARE);
    expect(numbers(first.rows)).toEqual([COUNT]);
    expect(first).toMatchObject({ hasMore: true, end: expect.any(String) });
    const second = await page(RARE, first.end);
    expect(numbers(second.rows)).toEqual([1]);
    expect(second).toMatchObject({ hasMore: false, end: undefined });
  });

  it("are found in one page where an index leads to few", async () => {
    const found = await page(REFUSED);
    expect(numbers(found.rows)).toEqual([COUNT, 1]);
    expect(found).toMatchObject({ hasMore: false, end: undefined });
  });

  it("stop the walk of a full page", async () => {
    const all = await page({ walked: [], shown: [] });
    expect(numbers(all.rows)).toEqual([COUNT, COUNT - 1]);
    expect(all).toMatchObject({ hasMore: true, end: undefined });
  });
});

it("a stream that was far behind reads on in steps of the same bound", async () => {
  const read = (floor: string) =>
    newRequestLogs(database.reads, {
      platformId: PLATFORM,
      filter: RARE,
      floor,
      known: [],
      limit: 200,
    });
  const first = await read(BEFORE_ALL_IDS);
  expect(numbers(first.rows)).toEqual([1]);
  const second = await read(first.end ?? "");
  expect(numbers(second.rows)).toEqual([COUNT]);
  expect(second.end).toBeUndefined();
});

it("a call enters two indexes, and a third one only where it is special", async () => {
  const { rows } = await place.asSuperuser((client) =>
    client.query<{ name: string; where: string | null }>(
      "select c.relname as name, pg_get_expr(i.indpred, i.indrelid) as where from pg_index i " +
        "join pg_class c on c.oid = i.indexrelid where i.indrelid = 'request_logs'::regclass order by 1",
    ),
  );
  const whole = rows.filter(({ where }) => where === null).map(({ name }) => name);
  expect(whole).toEqual(["request_logs_pkey", "request_logs_request"]);
});
