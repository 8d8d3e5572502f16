/** The table of other institutions' keys, as two servers use it. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../../../postgres/database.ts";
import { systemClock } from "../../../std/clock.ts";
import { createLog } from "../../../std/log.ts";
import {
  type CounterpartyKeyTable,
  createCounterpartyKeyTable,
  sweepCounterpartyKeys,
} from "./counterparty-key.sql.ts";

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 123);
const DOMAIN = "vasp.example";
const lease = { now: NOW, until: NOW + 7_000 };
const kept = { document: '{"ü":"\\u0000"}', fetchedAt: NOW + 5, expiresAt: NOW + 60_000 };

let own: TestDatabase;
let database: Database;
let one: CounterpartyKeyTable;
let other: CounterpartyKeyTable;
beforeAll(async () => {
  own = await createTestDatabase();
  const log = createLog("silent");
  database = openDatabase({ address: { connectionStrings: [own.url] }, log });
  one = createCounterpartyKeyTable(database, systemClock);
  other = createCounterpartyKeyTable(database, systemClock);
});
afterAll(async () => {
  await one.close();
  await other.close();
  await database.close();
  await own.drop();
});
beforeEach(() =>
  database.withClient(async (client) => {
    await client.query("delete from uma_counterparty_keys");
  }),
);

async function sweep(now: number): Promise<number> {
  const lane = await database.openLane("sweep");
  return sweepCounterpartyKeys(lane, now).finally(() => lane.close());
}

it("a fetch is claimed by one of many, until its lease ends", async () => {
  const claims = await Promise.all(
    [one, other, one, other].map((each) => each.claim(DOMAIN, lease)),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await other.find(DOMAIN)).toEqual({ kept: undefined, fetchingUntil: NOW + 7_000 });
  expect(await one.claim("second.example", lease)).toBe(true);
  expect(await other.claim(DOMAIN, { now: NOW + 6_999, until: NOW + 9_000 })).toBe(false);
  expect(await other.claim(DOMAIN, { now: NOW + 7_000, until: NOW + 9_000 })).toBe(true);
});

it("a document is kept for all, and ends the fetch", async () => {
  await one.claim(DOMAIN, lease);
  await one.keep(DOMAIN, kept);
  expect(await other.find(DOMAIN)).toEqual({ kept, fetchingUntil: undefined });
  expect(await other.claim(DOMAIN, { now: NOW + 1, until: NOW + 2 })).toBe(true);
  await other.release(DOMAIN);
  expect(await one.find(DOMAIN)).toEqual({ kept, fetchingUntil: undefined });
});

it("a fetch that failed leaves no row", async () => {
  await one.claim(DOMAIN, lease);
  await one.release(DOMAIN);
  expect(await other.find(DOMAIN)).toBeUndefined();
});

it("a sweep deletes what has expired, and claims of servers that died", async () => {
  await one.keep(DOMAIN, kept);
  await one.claim("dead.example", lease);
  await one.keep("fetched.example", kept);
  await one.claim("fetched.example", { now: NOW, until: NOW + 70_000 });
  expect(await sweep(NOW + 7_000)).toBe(0);
  expect(await sweep(NOW + 7_001)).toBe(1);
  expect(await sweep(NOW + 60_001)).toBe(1);
  expect(await one.find(DOMAIN)).toBeUndefined();
  expect(await one.find("fetched.example")).toBeDefined();
  expect(await sweep(NOW + 70_001)).toBe(1);
});
