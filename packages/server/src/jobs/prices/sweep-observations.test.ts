import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { systemClock } from "../../std/clock.ts";
import { silentLog } from "../../std/log.ts";
import { createSweeper } from "../sweep.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse("2027-03-01T00:00:00Z");
const ONE = "019a4f00-0000-7000-8000-000000000001";
const OTHER = "019a4f00-0000-7000-8000-000000000002";

let place: TestDatabase;
let database: Database;
beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

/** Observations of a source, so many days ago. Their ids rise with their times. */
async function observed(sourceId: string, days: readonly number[]): Promise<void> {
  await place.asSuperuser(async (client) => {
    for (const day of days) {
      const id = `${String(100_000_000 - day * 1_000).padStart(8, "0")}-0000-7000-8000-${sourceId.slice(-12)}`;
      await client.query(
        "insert into rate_observations (platform_id, id, source_id, origin, as_of, digest, rates, refused, created_at) " +
          "values ($1, $2, $3, 'PUT', $4, 'x', '[]', '[]', $4)",
        [ONE, id, sourceId, daysAgo(day)],
      );
    }
  });
}

async function priced(sourceId: string, day: number): Promise<void> {
  await place.asSuperuser((client) =>
    client.query(
      "insert into quote_prices (platform_id, id, source_id, source_name, rate_as_of, mid, spread_bps, spreads_version, rate, fees_version, created_at) " +
        "values ($1, gen_random_uuid(), $2, 'x', $3, '1', 0, 1, '1', 1, $3)",
      [ONE, sourceId, daysAgo(day)],
    ),
  );
}

/** The days ago of the observations that are left. */
async function left(sourceId: string): Promise<readonly number[]> {
  const { rows } = await place.asSuperuser((client) =>
    client.query("select created_at from rate_observations where source_id = $1 order by id", [
      sourceId,
    ]),
  );
  return rows.map((row) => (NOW - (row.created_at as Date).getTime()) / DAY_MS);
}

function sweep(): Promise<number> {
  return createSweeper({
    requestLogDays: 7,
    attemptDays: 30,
    database,
    clock: { ...systemClock, now: () => NOW },
    log: silentLog,
  }).runOnce();
}

it("deletes observations after 90 days, but for the last one and those that quotes were priced from", async () => {
  await observed(ONE, [300, 200, 150, 120, 91, 89, 1]);
  await priced(ONE, 160);
  await priced(OTHER, 125);
  await observed(OTHER, [400, 300]);
  expect(await sweep()).toBe(5);
  expect(await left(ONE)).toEqual([200, 89, 1]);
  expect(await left(OTHER)).toEqual([300]);
  expect(await sweep()).toBe(0);
  expect(await left(ONE)).toEqual([200, 89, 1]);
});

it("deletes more than one statement takes", async () => {
  await place.asSuperuser((client) =>
    client.query(
      "insert into rate_observations (platform_id, id, source_id, origin, as_of, digest, rates, refused, created_at) " +
        "select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'FETCH', $2, 'x', '[]', '[]', $2 from generate_series(1, 2500) n",
      [ONE, daysAgo(100)],
    ),
  );
  expect(await sweep()).toBe(2_499);
});
