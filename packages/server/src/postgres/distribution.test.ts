import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createTestDatabase,
  isDistributed,
  type TestDatabase,
} from "../../test/kit/test-database.ts";
import { StartRefused } from "../std/errors.ts";
import { type Log, silentLog } from "../std/log.ts";
import { checkNodes } from "./check-nodes.ts";
import { type Database, openDatabase } from "./database.ts";
import { distribute, placedTables, UNIQUE_IDS } from "./distribution.ts";
import { migrate, readMigrations } from "./migrate.ts";

let place: TestDatabase;
let database: Database;
let warnings: string[];
let log: Log;

beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  warnings = [];
  log = { ...silentLog, warn: (_facts, message) => warnings.push(message) };
});

afterEach(async () => {
  await database.close();
  await place.drop();
});

async function refusal(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(StartRefused);
  return (thrown as StartRefused).message;
}

const placements = () =>
  database.withClient(async (client) => {
    const tables = await placedTables(client);
    return new Map(tables.map(({ name, placement }) => [name, placement]));
  });

async function column(text: string, values: readonly unknown[] = []): Promise<readonly string[]> {
  const { rows } = await database.withClient((client) =>
    client.query<{ name: string }>(text, [...values]),
  );
  return rows.map(({ name }) => name);
}

describe("the schema", () => {
  it("has no table but those that are led by their platform and those that every node has", async () => {
    const known = await placements();
    const all = await column(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace " +
        "and relkind in ('r', 'p') and not relispartition order by 1",
    );
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((name) => !known.has(name))).toEqual([]);
  });

  it("has no unique index without the platform, but for those that become plain ones", async () => {
    const unique = await column(
      "select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid " +
        "join pg_class t on t.oid = i.indrelid where t.relname = any ($1) and i.indisunique and not exists (" +
        "select from pg_attribute a where a.attrelid = t.oid and a.attname = 'platform_id' and a.attnum = any (i.indkey))",
      [
        await database.withClient(async (client) =>
          (await placedTables(client))
            .filter(({ wanted }) => wanted === "distributed")
            .map(({ name }) => name),
        ),
      ],
    );
    expect(unique).toEqual(isDistributed() ? [] : UNIQUE_IDS.map(({ name }) => name));
  });
});

describe.runIf(!isDistributed())("a plain PostgreSQL", () => {
  it("is not distributed, and no table of it changes", async () => {
    const message = await refusal(distribute(database, { shards: undefined }));
    expect(message).toContain("no Citus extension");
    expect(new Set((await placements()).values())).toEqual(new Set(["local"]));
  });

  it("passes the check of the nodes", async () => {
    await checkNodes(database, { log });
    expect(warnings).toEqual([]);
  });
});

/** `npm run test:database` with the URL of a cluster runs these. */
describe.runIf(isDistributed())("a cluster", () => {
  const PLATFORM = "01900000-0000-7000-8000-000000000001";
  const asOwner = (...statements: readonly string[]) =>
    database.withClient(async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  /** Of a migration that ran after the tables were distributed. */
  const addTable = () =>
    asOwner(
      "create table later (platform_id uuid not null, id uuid not null, primary key (platform_id, id))",
      `insert into later select '${PLATFORM}', gen_random_uuid() from generate_series(1, 100)`,
    );

  it("has every table in its place", async () => {
    const found = await placements();
    expect(found.get("events")).toBe("distributed");
    expect(found.get("directory")).toBe("reference");
    expect([...found.values()]).not.toContain("local");
    await checkNodes(database, { log });
    expect(warnings).toEqual([]);
  });

  it("is not changed by a second run, nor given other shards", async () => {
    expect(await distribute(database, { shards: undefined })).toEqual([]);
    expect(await refusal(distribute(database, { shards: 7 }))).toContain("shards already, not 7");
  });

  it("that is distributed in part is refused, and a run moves the rest with its rows", async () => {
    await addTable();
    const message = await refusal(checkNodes(database, { log }));
    expect(message).toContain("but for the tables later: stop all servers");
    await checkNodes(database, { log, mayOnlyRead: true });
    expect(warnings).toEqual([message]);
    expect(await distribute(database, { shards: undefined })).toEqual(["later"]);
    await checkNodes(database, { log });
    expect(await column("select count(*) as name from later")).toEqual(["100"]);
  });

  it("takes a migration that changes several tables", async () => {
    const migrations = await readMigrations(new URL("../../migrations/", import.meta.url));
    const sql =
      "alter table rail_connections add column later text;\n" +
      "alter table rail_connections add constraint rail_connections_later check (later <> '');\n" +
      "create index rail_connections_later on rail_connections (platform_id, later);\n" +
      "alter table directory add column later text;\n";
    const next = { version: 9_001, name: "9001-later.sql", sql, checksum: "later" };
    expect(await migrate(database, [...migrations, next])).toEqual(["9001-later.sql"]);
    await checkNodes(database, { log });
  });

  it("is not changed by a run that fails", async () => {
    await addTable();
    await asOwner("create unique index later_id on later (id)");
    await expect(distribute(database, { shards: undefined })).rejects.toThrow();
    expect((await placements()).get("later")).toBe("local");
    expect(await column("select count(*) as name from later")).toEqual(["100"]);
  });

  it("is not distributed beside a server, nor by another role than the owner", async () => {
    await addTable();
    const server = await database.openLane("engine");
    expect(await refusal(distribute(database, { shards: undefined }))).toContain(
      "a server is connected to the database (`florin engine`, 1 connections)",
    );
    await server.close();
    const mighty = openDatabase({
      address: { ...place.address, user: place.superuser },
      log: silentLog,
    });
    const message = await refusal(distribute(mighty, { shards: undefined }));
    await mighty.close();
    expect(message).toMatch(/belongs to the role florin, and this command runs as/);
  });

  it("with a table that is distributed in another way is refused", async () => {
    await addTable();
    await asOwner(
      "select create_distributed_table('later', 'platform_id', colocate_with => 'none')",
    );
    const cure = "undistribute_table('later')";
    expect(await refusal(checkNodes(database, { log }))).toContain(cure);
    expect(await refusal(distribute(database, { shards: undefined }))).toContain(cure);
  });

  it("is refused when a shard of booked rows has lost a trigger", async () => {
    const shards =
      "select shardid as name from pg_dist_shard where logicalrelid = 'events'::regclass";
    const [shard = ""] = await column(`${shards} order by 1 limit 1`);
    await asOwner(
      `select run_command_on_shards('events', $$do 'begin if ''%1$s'' = ''events_${shard}'' then ` +
        "alter table %1$s disable trigger all; end if; end'$$)",
    );
    expect(await refusal(checkNodes(database, { log }))).toContain(
      `the shard ${shard} of events has 0 of 2 triggers enabled`,
    );
  });

  it("gets a warning for rights that came back on the nodes, and the warning's statement takes them", async () => {
    await asOwner("grant update on events to current_user");
    await checkNodes(database, { log });
    const [, cure = ""] = /run: (.*)$/.exec(warnings[0] ?? "") ?? [];
    await asOwner(cure);
    await checkNodes(database, { log });
    expect(warnings).toHaveLength(1);
  });

  it("gets a warning for a node whose connections wait for locks without end", async () => {
    await asOwner(`alter role current_user in database ${place.name} set lock_timeout = 0`);
    await checkNodes(database, { log });
    expect(warnings[0]).toContain("run: alter role current_user set lock_timeout = '3000ms'");
  });

  it("is refused at a worker", async () => {
    const [worker] = place.workers;
    const beside = openDatabase({ address: { ...place.address, ...worker }, log: silentLog });
    expect(await refusal(checkNodes(beside, { log }))).toContain("on a worker of the cluster");
    await beside.close();
  });
});
