import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { StartRefused } from "../std/errors.ts";
import { type Log, silentLog } from "../std/log.ts";
import { checkDatabase, checkGuards } from "./check-database.ts";
import { type Database, openDatabase } from "./database.ts";

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

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A database whose reported settings are replaced, because some settings belong to the whole server. */
const saying = (settings: Readonly<Record<string, string>>): Database => ({
  ...database,
  withClient: (work) =>
    database.withClient(async (client) => {
      const cases = Object.entries(settings).map(([name, to]) => `when '${name}' then '${to}'`);
      await client.query(
        `create temp view pg_settings as select name, case name ${cases.join(" ")} else setting end ` +
          "as setting from pg_catalog.pg_settings",
      );
      await client.query("set search_path = pg_temp, pg_catalog, public");
      return work(client);
    }),
});

describe("the check at the start", () => {
  it("accepts a durable database", async () => {
    await expect(checkDatabase(database, { log: silentLog })).resolves.toBeUndefined();
  });

  it.each(["off", "local", "remote_write"])(
    "refuses one with synchronous_commit=%s and names the setting",
    async (value) => {
      await place.asSuperuser((client) =>
        client.query(`alter database ${place.name} set synchronous_commit = ${value}`),
      );
      const error = await failureOf(checkDatabase(database, { log: silentLog }));
      expect(error).toBeInstanceOf(StartRefused);
      expect((error as Error).message).toContain(`synchronous_commit=${value}`);
    },
  );

  it.each([
    ["fsync", "off"],
    ["full_page_writes", "off"],
    ["data_sync_retry", "on"],
  ])("refuses one with %s=%s and names it", async (name, value) => {
    const error = await failureOf(checkDatabase(saying({ [name]: value }), { log: silentLog }));
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toContain(`${name}=${value}`);
    expect((error as Error).message).toContain(`set ${name}=${value === "on" ? "off" : "on"}`);
  });
});

describe("an unusable database", () => {
  const set = (setting: string) =>
    place.asSuperuser((client) => client.query(`alter database ${place.name} set ${setting}`));

  it("is refused when it prints bytea as escape", async () => {
    await set("bytea_output = 'escape'");
    const error = await failureOf(checkDatabase(database, { log: silentLog }));
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toContain("set bytea_output=hex");
  });

  it("is refused when it is read-only, except by a read-only command", async () => {
    await set("default_transaction_read_only = on");
    const error = await failureOf(checkDatabase(database, { log: silentLog }));
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toContain("set default_transaction_read_only=off");
    await checkDatabase(database, { log: silentLog, mayOnlyRead: true });
  });

  it("is refused when its encoding is not UTF-8", async () => {
    const error = await failureOf(
      checkDatabase(saying({ server_encoding: "LATIN1" }), { log: silentLog }),
    );
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toContain("keeps texts as LATIN1");
    expect((error as Error).message).toContain("encoding 'UTF8'");
  });

  it("is refused when its triggers do not fire, except by a read-only command", async () => {
    await set("session_replication_role = replica");
    const error = await failureOf(checkDatabase(database, { log: silentLog }));
    expect(error).toBeInstanceOf(StartRefused);
    expect((error as Error).message).toContain("set session_replication_role=origin");
    await checkDatabase(database, { log: silentLog, mayOnlyRead: true });
  });

  it("is reported as a standby when it is one", async () => {
    const standby = saying({ transaction_read_only: "on", in_hot_standby: "on" });
    const error = await failureOf(checkDatabase(standby, { log: silentLog }));
    expect((error as Error).message).toContain("is a standby");
  });
});

describe("the check of the role", () => {
  it("warns of a superuser, with the statements that create another role", async () => {
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (_facts, message) => warnings.push(message) };
    const mighty = openDatabase({
      address: { ...place.address, user: place.superuser },
      log: silentLog,
    });
    await checkDatabase(mighty, { log });
    await mighty.close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("is a superuser");
    expect(warnings[0]).toContain(`alter database "${place.name}" owner to florin`);
    await checkDatabase(database, { log });
    expect(warnings).toHaveLength(1);
  });
});

describe("the check of the triggers and privileges of booked rows", () => {
  const TRIGGERS = [
    ["ledger_entries", "ledger_entries_append_only"],
    ["ledger_entries", "ledger_entries_no_truncate"],
    ["events", "events_append_only"],
    ["events", "events_no_truncate"],
    ["command_log", "command_log_append_only"],
    ["command_log", "command_log_no_truncate"],
    ["command_log", "command_log_keeps"],
  ];

  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_facts, message) => warnings.push(message) };
  const run = (sql: string) => database.withClient((client) => client.query(sql));
  beforeEach(() => {
    warnings.length = 0;
  });

  it("finds all of them after the migrations", async () => {
    await checkGuards(database, { log });
    expect(warnings).toEqual([]);
  });

  it.each(TRIGGERS)("refuses a start when %s has lost %s", async (table, trigger) => {
    for (const [how, undo] of [
      [`alter table ${table} disable trigger ${trigger}`, true],
      [`alter table ${table} enable replica trigger ${trigger}`, true],
      [`drop trigger ${trigger} on ${table}`, false],
    ] as const) {
      await run(how);
      const error = await failureOf(checkGuards(database, { log }));
      expect(error).toBeInstanceOf(StartRefused);
      expect((error as Error).message).toContain(trigger);
      if (undo) await run(`alter table ${table} enable trigger ${trigger}`);
    }
    expect(warnings).toEqual([]);
    await checkGuards(database, { log, mayOnlyRead: true });
    expect(warnings).toEqual([expect.stringContaining(trigger)]);
  });

  it.each([
    ["ledger_entries", "update"],
    ["events", "truncate"],
    ["command_log", "delete"],
  ])(
    "warns of a role that may change %s again, and its statement revokes that",
    async (table, right) => {
      await run(`grant ${right} on ${table} to florin`);
      await checkGuards(database, { log });
      const [, cure = ""] = /run: (.*)$/.exec(warnings[0] ?? "") ?? [];
      expect(cure).toContain(` on ${table} from "florin"`);
      await run(cure);
      await checkGuards(database, { log });
      expect(warnings).toHaveLength(1);
    },
  );
});
