import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { silentLog } from "../std/log.ts";
import { defineRecords } from "../tables/tables.ts";
import { ByteWriter } from "./byte-writer.ts";
import { type ColumnType, encodeArray, encodeValue, SQL_TYPES } from "./columns.ts";
import { type Database, type Lane, openDatabase } from "./database.ts";

let place: TestDatabase;
let database: Database;
let lane: Lane;

beforeAll(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  lane = await database.openLane("test");
});

afterAll(async () => {
  await database.close();
  await place.drop();
});

const INT8 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
/** PostgreSQL accepts neither a zero character nor a lone surrogate. */
const CHARACTER = fc.constantFrom(
  "a",
  '"',
  "\\",
  "\n",
  "é",
  "€",
  "\u2028",
  "\ufeff",
  "💶",
  "\u0001",
);
const TEXT = fc.string({ unit: CHARACTER });
const JSON_VALUE = fc
  .jsonValue({ maxDepth: 3, stringUnit: CHARACTER })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

const values: Readonly<Record<ColumnType, fc.Arbitrary<unknown>>> = {
  uuid: fc.uuid(),
  text: TEXT,
  int8: INT8,
  int4: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  bool: fc.boolean(),
  time: fc.integer({ min: Date.UTC(-500, 0, 1), max: Date.UTC(9999, 11, 31) }),
  json: JSON_VALUE,
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
};

const types = Object.keys(values) as ColumnType[];

/** Sends an array of the type and reads it back as rows. */
async function thereAndBack(type: ColumnType, sent: readonly unknown[]) {
  const cell = defineRecords<{ cell: unknown }>("x", { cell: { type, mutable: false } });
  const [result] = await lane.run([
    {
      statement: {
        name: `there-and-back ${type}`,
        text: `select ${cell.selectList("x")} from unnest($1::${SQL_TYPES[type]}[]) with ordinality x(cell, at) order by x.at`,
      },
      parameters: [
        (writer: ByteWriter) => encodeArray(writer, sent, { type, pick: (value) => value }),
      ],
    },
  ]);
  return (result?.rows ?? []).map((cells) => cell.decode(cells).cell);
}

describe.each(types)("a column of %s", (type) => {
  it("is read back unchanged, with nulls", async () => {
    const some = fc.array(fc.option(values[type]), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(some, async (sent) => {
        expect(await thereAndBack(type, sent)).toEqual(sent);
      }),
      { numRuns: 40 },
    );
  });

  it("may be empty", async () => {
    expect(await thereAndBack(type, [])).toEqual([]);
  });
});

it.each<readonly [ColumnType, unknown]>([
  ["int8", 9_223_372_036_854_775_807n],
  ["int8", -9_223_372_036_854_775_808n],
  ["int8", 9_007_199_254_740_993n],
  ["time", 0],
  ["time", -1],
  ["time", Date.UTC(1999, 11, 31, 23, 59, 59, 999)],
  ["time", Date.UTC(2000, 0, 1)],
  ["text", ""],
  ["text", 'quote " backslash \\ brace {NULL} ,'],
  ["text", "für ☂ 💶 \u202e right to left"],
  ["json", { z: 1, a: 2, "": null, nested: { b: [], a: {} } }],
  ["json", null],
  ["bytes", Buffer.alloc(0)],
])("carries %s %o", async (type, value) => {
  const back = await thereAndBack(type, [value]);
  expect(back).toEqual([value]);
});

it("keeps the key order of a json object", async () => {
  const [back] = await thereAndBack("json", [{ z: 1, a: 2, m: 3 }]);
  expect(Object.keys(back as object)).toEqual(["z", "a", "m"]);
});

it("writes undefined as null", () => {
  const writer = new ByteWriter();
  encodeValue(writer, undefined, "text");
  expect(writer.written().toString("hex")).toBe("ffffffff");
});

it("refuses a value that JSON cannot represent", () => {
  expect(() => encodeValue(new ByteWriter(), () => 1, "json")).toThrow();
});
