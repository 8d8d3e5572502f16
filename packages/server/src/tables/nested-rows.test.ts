import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type NestedRows, nestedRows } from "./nested-rows.ts";
import { defineRecords, fixed, type RowOf } from "./tables.ts";

const columns = {
  id: fixed("uuid"),
  word: fixed<string | null>("text"),
  count: fixed("int4"),
  large: fixed("int8"),
  flag: fixed("bool"),
  moment: fixed("time"),
  tree: fixed<object>("json"),
  bytes: fixed("bytes"),
};

interface Sample extends RowOf<typeof columns> {}

const samples = defineRecords<Sample>("samples", columns);

const A = "018f0000-0000-7000-8000-00000000000a";
const B = "018f0000-0000-7000-8000-00000000000b";

let place: TestDatabase;
const nested: NestedRows<Sample> = nestedRows(samples, { alias: "s", where: "s.count < t.below" });

beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query(
      "create table samples (id uuid, word text, count int4, large int8, flag bool, moment timestamptz, tree json, bytes bytea)",
    );
    await client.query(
      `insert into samples values ('${B}', null, 2, -1, false, '2026-01-01T00:00:00.999Z', '[]', ''), ` +
        `('${A}', 'a "quoted" ☂ [1]', 1, 9007199254740993, true, '2026-01-01T00:00:00.001Z', ` +
        `'{"a":[1,"\\"x"]}', '\\x00ff')`,
    );
  });
});
afterAll(() => place.drop());

function nestedBelow(below: number) {
  return place.asSuperuser(async (client) => {
    const { rows } = await client.query({
      text: `select ${nested.select} from (select ${below} as below) t`,
      rowMode: "array",
      types: { getTypeParser: () => (text: string) => text },
    });
    return nested.decode(rows[0]?.[0]);
  });
}

it("returns nested rows with each type unchanged, ordered by id", async () => {
  expect(await nestedBelow(3)).toEqual([
    {
      id: A,
      word: 'a "quoted" ☂ [1]',
      count: 1,
      large: 9_007_199_254_740_993n,
      flag: true,
      moment: Date.parse("2026-01-01T00:00:00.001Z"),
      tree: { a: [1, '"x'] },
      bytes: Buffer.from([0, 255]),
    },
    {
      id: B,
      word: null,
      count: 2,
      large: -1n,
      flag: false,
      moment: Date.parse("2026-01-01T00:00:00.999Z"),
      tree: [],
      bytes: Buffer.alloc(0),
    },
  ]);
});

it("returns no rows when there are none", async () => {
  expect(await nestedBelow(0)).toEqual([]);
});
