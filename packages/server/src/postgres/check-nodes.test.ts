/** The checks of a distributed database against a stand-in for Citus. `distribution.test.ts` runs them on a cluster. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FIRST_SHARD, standInForCitus } from "../../test/kit/sql/citus-stand-in.ts";
import {
  createTestDatabase,
  isDistributed,
  type TestDatabase,
} from "../../test/kit/test-database.ts";
import { StartRefused } from "../std/errors.ts";
import { type Log, silentLog } from "../std/log.ts";
import { checkNodes } from "./check-nodes.ts";
import { type Database, openDatabase } from "./database.ts";

/** Settings that a plain PostgreSQL does not have, or not as Citus sets them. */
const OF_CITUS = /max_prepared_transactions|citus\.recover_2pc_interval/;

let place: TestDatabase;
let database: Database;
let asked: () => Promise<number>;
let warnings: string[];
let log: Log;

beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  warnings = [];
  const warn = (_facts: unknown, message: string) => {
    if (!OF_CITUS.test(message)) warnings.push(message);
  };
  log = { ...silentLog, warn };
});

afterEach(async () => {
  await database.close();
  await place.drop();
});

const run = (text: string) => place.asSuperuser((client) => client.query(text));

async function refusal(): Promise<string> {
  const thrown = await checkNodes(database, { log }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(StartRefused);
  return (thrown as StartRefused).message;
}

const ENTRIES = `ledger_entries_${FIRST_SHARD}`;

describe.runIf(!isDistributed())("nodes", () => {
  beforeEach(async () => {
    asked = await standInForCitus(place);
  });

  it("are asked once, whatever the number of tables and shards", async () => {
    await checkNodes(database, { log });
    expect(await asked()).toBe(1);
    expect(warnings).toEqual([]);
  });

  it("with a shard of which a trigger is disabled are refused", async () => {
    await run(`alter table ${ENTRIES} disable trigger user`);
    expect(await refusal()).toContain(
      `the shard ${FIRST_SHARD} of ledger_entries has 0 of 2 triggers enabled`,
    );
    await checkNodes(database, { log, mayOnlyRead: true });
    expect(warnings[0]).toContain("booked rows are not guarded");
  });

  it("that lack a shard are refused", async () => {
    await run(`drop table ${ENTRIES}`);
    expect(await refusal()).toContain(`the shard ${FIRST_SHARD} of ledger_entries has 0 of 2`);
  });

  it("are told apart: a shard counts on the node that is to have it", async () => {
    await run(`update pg_dist_placement set groupid = 7 where shardid = ${FIRST_SHARD}`);
    expect(await refusal()).toContain(`the shard ${FIRST_SHARD} of ledger_entries has 0 of 2`);
  });

  it("include the coordinator where it has shards", async () => {
    await run(`update pg_dist_placement set groupid = 0 where shardid = ${FIRST_SHARD}`);
    await checkNodes(database, { log });
    await run(`alter table ${ENTRIES} disable trigger user`);
    expect(await refusal()).toContain(`the shard ${FIRST_SHARD} of ledger_entries has 0 of 2`);
  });

  it("on which the role may change booked rows get a warning with its cure", async () => {
    await run(`grant delete on ${ENTRIES} to florin`);
    await checkNodes(database, { log });
    expect(warnings[0]).toContain(
      "run: revoke update, delete, truncate on ledger_entries from current_user",
    );
    expect(warnings).toHaveLength(1);
  });

  it("that could lose a commit are refused", async () => {
    await run("alter function run_command_on_workers set synchronous_commit = off");
    expect(await refusal()).toContain("the node node1:5432 runs with synchronous_commit=off");
  });

  it("that wait for locks for long get a warning", async () => {
    await run("alter function run_command_on_workers set lock_timeout = '1min'");
    await checkNodes(database, { log });
    expect(warnings[0]).toContain("run: alter role current_user set lock_timeout = '3000ms'");
  });

  it("that cannot be asked are refused", async () => {
    await run("alter function run_command_on_workers set search_path = public, pg_catalog");
    await run("create view pg_settings as select 1 / 0 as name, '' as setting");
    expect(await refusal()).toContain("the node node1:5432 cannot be asked: ");
  });
});
