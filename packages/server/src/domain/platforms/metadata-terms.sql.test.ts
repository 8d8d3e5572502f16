/** The statements of the job that adds older objects do nothing for an earlier choice of keys. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../../postgres/database.ts";
import { createSerialLane, type SerialLane } from "../../postgres/serial-lane.ts";
import { silentLog } from "../../std/log.ts";
import { addTermsStep, dropTermsStep } from "./metadata-terms.sql.ts";

const PLATFORM = "018f0000-0000-7000-8000-00000000000a";
const OBJECT = "018f0000-0000-7000-8000-00000000000b";

let place: TestDatabase;
let database: Database;
let lane: SerialLane;
beforeAll(async () => {
  place = await createTestDatabase();
  await place.asSuperuser(async (client) => {
    await client.query(
      "insert into internal_accounts (platform_id, id, type, status, currency, is_simulated, created_at, metadata) " +
        `values ('${PLATFORM}', '${OBJECT}', 'INTERNAL_FIAT', 'ACTIVE', 'USD', true, now(), '{"a":"1","b":"2","c":"3"}')`,
    );
    await client.query(
      `insert into metadata_settings values ('${PLATFORM}', '${PLATFORM}', '["a","b"]', '{"since":"now"}', now())`,
    );
  });
  database = openDatabase({ address: place.address, log: silentLog });
  lane = createSerialLane(database, "terms");
});
afterAll(async () => {
  await lane?.close();
  await database?.close();
  await place?.drop();
});

async function keysInIndex(): Promise<readonly string[]> {
  const rows = await place.asSuperuser((client) =>
    client.query("select key from metadata_terms order by key"),
  );
  return rows.rows.map(({ key }) => key);
}

const add = (since: string, ...keys: string[]) =>
  lane.run(
    addTermsStep(PLATFORM, { since, keys, limit: 10, list: "internal_accounts", after: null }),
  );
const drop = (since: string, ...keys: string[]) =>
  lane.run(dropTermsStep(PLATFORM, { since, keys, limit: 10 }));

it("adds and deletes rows for the present choice of keys alone", async () => {
  expect((await add("earlier", "c")).rows).toEqual([["0", null]]);
  expect(await keysInIndex()).toEqual([]);
  expect((await add("now", "a", "b")).rows).toEqual([["1", OBJECT]]);
  expect((await add("now", "a", "b")).rows).toEqual([["1", OBJECT]]);
  expect(await keysInIndex()).toEqual(["a", "b"]);
  expect((await drop("earlier", "a")).count).toBe(0);
  expect(await keysInIndex()).toEqual(["a", "b"]);
  expect((await drop("now", "a")).count).toBe(1);
  expect(await keysInIndex()).toEqual(["a"]);
});
