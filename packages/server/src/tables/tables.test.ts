import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, type Lane, openDatabase } from "../postgres/database.ts";
import { randomIds } from "../std/ids.ts";
import { silentLog } from "../std/log.ts";
import {
  defineLookup,
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "./tables.ts";

const columns = {
  id: fixed("uuid"),
  word: mutable<string | null>("text"),
  count: mutable<number | null>("int4"),
  large: fixed<bigint | null>("int8"),
  flag: fixed<boolean | null>("bool"),
  moment: fixed<number | null>("time"),
  tree: fixed<object | string | null>("json"),
  bytes: fixed<Buffer | null>("bytes"),
};

interface Sample extends RowOf<typeof columns> {}

const samples = defineTable<Sample>("samples", columns);

const ids = randomIds();
const PLATFORM = ids.next(1);
/** One row is inserted, this many rows are copied. */
const MANY = 40;

let place: TestDatabase;
let database: Database;
let lane: Lane;

beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser((client) =>
    client.query(
      "create table samples (platform_id uuid, id uuid, word text, count int4, large int8, flag bool, " +
        "moment timestamptz, tree json, bytes bytea, primary key (platform_id, id)); grant all on samples to florin",
    ),
  );
  database = openDatabase({ address: place.address, log: silentLog });
  lane = await database.openLane("test");
});
beforeEach(() => place.asSuperuser((client) => client.query("delete from samples")));
afterAll(async () => {
  await database.close();
  await place.drop();
});

const filled = (): Sample => ({
  id: ids.next(Date.UTC(2026, 0, 1)),
  word: 'a "quoted" ☂ \\N, \t\n',
  count: -7,
  large: 9_007_199_254_740_993n,
  flag: false,
  moment: Date.UTC(2500, 0, 1, 0, 0, 0, 1),
  tree: { a: [1, null, "☂"] },
  bytes: Buffer.from([0, 255, 10]),
});
const empty = (): Sample => ({
  id: ids.next(Date.UTC(2026, 0, 1)),
  word: null,
  count: null,
  large: null,
  flag: null,
  moment: null,
  tree: null,
  bytes: null,
});

async function stored(): Promise<readonly Sample[]> {
  const text = `select ${samples.selectList("s")} from samples s where platform_id = '${PLATFORM}' order by id`;
  return database.reads.rows(samples, { name: "stored", text }, []);
}

it.each([
  ["one row", 1],
  ["many rows", MANY],
])("adds %s with every type, and with nulls", async (_, count) => {
  const rows = Array.from({ length: count }, (_each, index) =>
    index % 2 === 0 ? filled() : empty(),
  );
  const [result] = await lane.run([samples.insertStep(PLATFORM, rows)]);
  expect(result?.count).toBe(count);
  expect(await stored()).toEqual(rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
});

it.each([1, 2, 8, 9, 24, 25])("updates mutable columns only, of %i rows", async (count) => {
  const rows = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? filled() : empty()));
  await lane.run([samples.insertStep(PLATFORM, rows)]);
  const changed = rows.map((row) => ({ ...row, word: "new", count: 1, flag: true }));
  await lane.run(samples.rewriteSteps(PLATFORM, changed));
  const expected = rows.map((row) => ({ ...row, word: "new", count: 1 }));
  expect(await stored()).toEqual(expected.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
  expect(samples.rewriteSteps(PLATFORM, [])).toEqual([]);
});

it("two lookups of one table with the same name are a bug", () => {
  const where = { sql: "t.flag", holds: ({ flag }: Sample) => flag === true };
  const all = defineLookup(samples, { by: "word" });
  const flagged = defineLookup(samples, { by: "word", name: "flagged-by-word", where });
  expect([all.select.name, flagged.select.name]).toEqual([
    "samples/by-word",
    "samples/flagged-by-word",
  ]);
  expect([all.name, flagged.name]).toEqual([all.select.name, flagged.select.name]);
  expect(() => defineLookup(samples, { by: "word", where })).toThrow("two lookups");
  const named = { name: "flagged-by-word", ...where };
  expect(() => defineSelection(samples, named)).toThrow("two lookups");
});
