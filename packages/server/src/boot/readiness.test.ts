import { afterEach, beforeEach, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { Fault } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { readinessOf } from "./readiness.ts";

let place: TestDatabase;
let database: Database;
let newest: number;

beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  const [row] = await run<{ version: number }>(
    "select max(version) as version from schema_migrations",
  );
  newest = row?.version ?? 0;
});

afterEach(async () => {
  await database.close();
  await place.drop();
});

async function run<Row extends object>(sql: string): Promise<readonly Row[]> {
  return database.withClient(async (client) => (await client.query<Row>(sql)).rows);
}

const migrateOn = () =>
  run(
    `insert into schema_migrations (version, name, checksum) values (${newest + 1}, 'newer', 'x')`,
  );

/** What a migration does that older servers must not write past. */
const shutOut = () =>
  run(
    "create or replace function step_platform_head(of_platform uuid, expected_seq int8, " +
      "expected_chain_hash bytea, new_seq int8, new_event_seq int8, new_clock_offset_ms int8, " +
      "new_last_at timestamptz, new_chain_hash bytea) returns void language plpgsql as " +
      "$$ begin raise exception 'the schema is newer' using errcode = '55P03'; end $$",
  );

const readiness = { refuseLostCommits() {} };
const isReady = () =>
  readinessOf({ reads: database.gateReads, engine: readiness, schemaVersion: newest })();

it("is there on the schema that the program knows, and on a newer one that leaves it writing", async () => {
  await isReady();
  await migrateOn();
  await isReady();
  expect(await run("select 1 from platform_heads")).toEqual([]);
});

it("is not there once a newer schema has shut the program out", async () => {
  await migrateOn();
  await shutOut();
  const refused = await isReady().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Fault);
  expect((refused as Fault).message).toContain("replace this server");
});

it("is not there without a database", async () => {
  await place.drop();
  await expect(isReady()).rejects.toBeInstanceOf(Fault);
});
