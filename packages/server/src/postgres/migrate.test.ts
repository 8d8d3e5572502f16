import { createHash } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { onOne } from "../../test/kit/on-one.ts";
import { soon } from "../../test/kit/soon.ts";
import { createTestDatabase, type TestDatabase } from "../../test/kit/test-database.ts";
import { StartRefused } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { type Database, openDatabase } from "./database.ts";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

let place: TestDatabase;
let database: Database;
let ours: readonly Migration[];

beforeEach(async () => {
  place = await createTestDatabase();
  database = openDatabase({ address: place.address, log: silentLog });
  ours = await readMigrations(MIGRATIONS);
});

afterEach(async () => {
  await database.close();
  await place.drop();
});

function more(version: number, sql: string): Migration {
  const checksum = createHash("sha256").update(sql).digest("hex");
  return { version, name: `${version}-test.sql`, sql, checksum };
}

async function count(table: string): Promise<number> {
  return database.withClient(async (client) => {
    const found = await client.query<{ count: string }>(`select count(*) from ${table}`);
    return Number(found.rows[0]?.count);
  });
}

it("reads its files in order, each with a checksum", () => {
  const versions = ours.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
  expect(new Set(ours.map(({ checksum }) => checksum)).size).toBe(ours.length);
});

it("runs new migrations, once", async () => {
  const all = [
    ...ours,
    more(9001, "create table a (n int)"),
    more(9002, "insert into a values (1)"),
  ];
  expect(await migrate(database, all)).toEqual(["9001-test.sql", "9002-test.sql"]);
  expect(await migrate(database, all)).toEqual([]);
  expect(await count("a")).toBe(1);
});

it("refuses a migration that was changed after it ran, by name, and changes nothing", async () => {
  const first = ours[0];
  const changed = ours.map((one) => (one === first ? { ...one, checksum: "0".repeat(64) } : one));
  const all = [...changed, more(9001, "create table a (n int)")];
  await expect(migrate(database, all)).rejects.toThrow(StartRefused);
  await expect(migrate(database, all)).rejects.toThrow(first?.name);
  await expect(count("a")).rejects.toThrow();
});

it("refuses a database that is newer than the program", async () => {
  await migrate(database, [...ours, more(9001, "create table a (n int)")]);
  await expect(migrate(database, ours)).rejects.toThrow("newer");
});

it("rolls back a failing migration, keeps earlier ones, and can be run again", async () => {
  const before = more(9001, "create table a (n int)");
  const wrong = more(9002, "create table b (n int); insert into b values (1); select 1 / 0");
  await expect(migrate(database, [...ours, before, wrong])).rejects.toThrow("division by zero");
  expect(await count("a")).toBe(0);
  await expect(count("b")).rejects.toThrow();
  const right = more(9002, "create table b (n int); insert into b values (1)");
  expect(await migrate(database, [...ours, before, right])).toEqual(["9002-test.sql"]);
  expect(await count("b")).toBe(1);
});

it("rolls back a migration whose connection breaks, and can be run again", async () => {
  const slow = more(9001, "create table a (n int); insert into a values (1); select pg_sleep(20)");
  const killed = expect(migrate(database, [...ours, slow])).rejects.toThrow();
  await place.asSuperuser(async (client) => {
    const kill =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() " +
      "and application_name = 'florin admin' and query like '%pg_sleep%'";
    for (let ended = 0; ended === 0; ) ended = (await client.query(kill)).rowCount ?? 0;
  });
  await killed;
  await expect(count("a")).rejects.toThrow();
  const quick = more(9001, "create table a (n int); insert into a values (1)");
  expect(await migrate(database, [...ours, quick])).toEqual(["9001-test.sql"]);
});

it("runs each migration once when servers start at the same time", async () => {
  const all = [
    ...ours,
    more(9001, "create table a (n int)"),
    more(9002, "insert into a values (1)"),
  ];
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database, all)));
  expect(applied.flat().sort()).toEqual(["9001-test.sql", "9002-test.sql"]);
  expect(await count("a")).toBe(1);
});

async function emptyDatabase(): Promise<void> {
  await place.asSuperuser((client) =>
    client.query(
      "drop schema public cascade; create schema public; grant all on schema public to florin",
    ),
  );
}

onOne("gives an empty database the same schema as a copied one", async () => {
  await emptyDatabase();
  const applied = await Promise.all([migrate(database, ours), migrate(database, ours)]);
  expect(applied.flat().sort()).toEqual(ours.map(({ name }) => name));
  expect(await count("platform_heads")).toBe(0);
});

function insertPlatform(
  client: pg.Client,
  { index, environment, sandboxDomain }: Record<"index" | "environment" | "sandboxDomain", unknown>,
) {
  return client.query(
    "insert into platforms (platform_id, id, name, environment, uma_domain, uma_domains, proxy_uma_subdomain, " +
      "sandbox_uma_domain, is_regulated_financial_institution, webhook_since_event_seq, webhook_setting, " +
      "webhook_public_key, webhook_private_key_sealed, supported_currencies, created_at, updated_at) values " +
      "($1, $1, '', $2, '', '[]', '', $3, false, 0, 0, '', '', '[]', now(), now())",
    [idOf(Number(index)), environment, sandboxDomain],
  );
}

onOne(
  "moves existing UMA domains and addresses into the namespaces of their platforms",
  async () => {
    await emptyDatabase();
    const separating = ours.findIndex(({ name }) => name.endsWith("uma-domain-namespaces.sql"));
    await migrate(database, ours.slice(0, separating));
    await database.withClient(async (client) => {
      for (const [index, environment] of ["SANDBOX", "PRODUCTION", "PRODUCTION"].entries()) {
        await insertPlatform(client, { index: index + 1, environment, sandboxDomain: null });
      }
      for (const [handle, index] of [
        ["token:a", 1],
        ["uma-domain:s.test", 1],
        ["uma:$a@s.test", 1],
        ["uma-domain:pay.bank.test", 2],
        ["uma:$a@pay.bank.test", 2],
        ["uma-domain:bank.test", 3],
      ]) {
        await client.query("insert into directory values ($1, $2)", [handle, idOf(Number(index))]);
      }
    });
    await migrate(database, ours);
    const names = async (sql: string) =>
      database.withClient(
        async (client) => (await client.query({ text: sql, rowMode: "array" })).rows,
      );
    expect(await names("select handle, platform_id from directory order by handle")).toEqual([
      ["token:a", idOf(1)],
      ["uma:production:$a@pay.bank.test", idOf(2)],
      ["uma:sandbox:$a@s.test", idOf(1)],
    ]);
    const claims = "select namespace, reversed, platform_id from domain_claims order by 1, 2";
    const kept = [
      ["production", "test.bank", idOf(3)],
      ["production", "test.bank.pay", idOf(2)],
      ["sandbox", "test.s", idOf(1)],
    ];
    expect(await names(claims)).toEqual(kept);

    const claim = (index: number, namespace: string, domain: string) =>
      names(`select claim_domain('${idOf(index)}', '${namespace}', '${domain}')`);
    for (const [index, domain, constraint] of [
      [2, "x.bank.test", "domain_claims_apart"],
      [3, "x.pay.bank.test", "domain_claims_apart"],
      [1, "bank.test", "domain_claims_pkey"],
    ] as const) {
      await expect(claim(index, "production", domain)).rejects.toMatchObject({ constraint });
    }
    expect(await names(claims)).toEqual(kept);
    await claim(2, "sandbox", "bank.test");
    // A row that a server of the previous version writes.
    for (const handle of ["uma:$b@s.test", "uma-domain:late.test"]) {
      await expect(
        names(`insert into directory values ('${handle}', '${idOf(1)}')`),
      ).rejects.toMatchObject({ constraint: "directory_namespaced" });
    }
    const head = `'${idOf(1)}', 0, '', 1, 0, 0, now(), ''`;
    await expect(names(`select move_platform_head(${head})`)).rejects.toThrow(
      "newer than this server",
    );
  },
);

onOne("gives each UMA domain that a platform has a row, former ones as well", async () => {
  await emptyDatabase();
  const early = ours.findIndex(({ name }) => name.endsWith("-people.sql"));
  await migrate(database, ours.slice(0, early));
  await database.withClient(async (client) => {
    for (const index of [1, 2, 3]) {
      await insertPlatform(client, { index, environment: "PRODUCTION", sandboxDomain: null });
      const domains = index === 3 ? [] : [`old${index}.test`, `new${index}.test`];
      await client.query("update platforms set uma_domain = $1, uma_domains = $2 where id = $3", [
        `new${index}.test`,
        JSON.stringify(domains),
        idOf(index),
      ]);
    }
  });
  await migrate(database, ours);
  const rows = await database.withClient(
    async (client) =>
      (
        await client.query({
          text:
            "select d.platform_id, d.domain, d.is_primary, d.status, d.failed_checks, d.created_at = p.created_at, " +
            "d.id::text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7', d.deleted_at from uma_domains d join platforms p using (platform_id) order by 1, 2",
          rowMode: "array",
        })
      ).rows,
  );
  expect(rows).toEqual([
    [idOf(1), "new1.test", "t", "CLAIMED", "0", "t", "t", null],
    [idOf(1), "old1.test", "f", "CLAIMED", "0", "t", "t", null],
    [idOf(2), "new2.test", "t", "CLAIMED", "0", "t", "t", null],
    [idOf(2), "old2.test", "f", "CLAIMED", "0", "t", "t", null],
  ]);
});

onOne("claims the sandbox domains of existing platforms", async () => {
  await emptyDatabase();
  const claiming = ours.findIndex(({ name }) => name.endsWith("sandbox-domains-are-claimed.sql"));
  await migrate(database, ours.slice(0, claiming));
  await database.withClient(async (client) => {
    await client.query("insert into directory values ('uma-domain:sandbox.b.test', $1)", [idOf(3)]);
    for (const [index, sandboxDomain] of ["sandbox.a.test", "sandbox.b.test", null].entries()) {
      await insertPlatform(client, { index: index + 1, environment: "SANDBOX", sandboxDomain });
    }
  });
  await migrate(database, ours.slice(0, claiming + 1));
  const claims = await database.withClient((client) =>
    client.query("select handle, platform_id from directory order by handle"),
  );
  expect(claims.rows).toEqual([
    { handle: "uma-domain:sandbox.a.test", platform_id: idOf(1) },
    { handle: "uma-domain:sandbox.b.test", platform_id: idOf(3) },
  ]);
});

onOne(
  "waits for the commit of a server of the previous version before it counts lists, and blocks further commits",
  async () => {
    await emptyDatabase();
    const counting = ours.findIndex(({ name }) => name.endsWith("lists-are-counted.sql"));
    await migrate(database, ours.slice(0, counting - 1));
    await database.withClient((client) =>
      client.query("insert into platform_heads (platform_id) values ($1)", [idOf(1)]),
    );
    const moveFrom = (seq: number) => {
      const hash = "decode(repeat('00', 32), 'hex')";
      return `select advance_platform_head('${idOf(1)}', ${seq}, ${hash}, ${seq + 1}, 0, 0, now(), ${hash})`;
    };
    const earlier = new pg.Client({ ...place.address, application_name: "florin engine" });
    await earlier.connect();
    try {
      await earlier.query(`begin; ${moveFrom(0)}`);
      const migrated = migrate(database, ours);
      await soon(async () => expect(await sleepers()).toBe(1));
      await earlier.query(
        "insert into internal_accounts (platform_id, id, type, status, currency, is_simulated, created_at) " +
          `values ('${idOf(1)}', '${idOf(2)}', 'INTERNAL_FIAT', 'ACTIVE', 'USD', true, now()); commit`,
      );
      expect(await migrated).toHaveLength(ours.length - counting + 1);
      await expect(earlier.query(moveFrom(1))).rejects.toThrow("newer than this server");
    } finally {
      await earlier.end();
    }
    expect(await count("list_totals")).toBe(1);
  },
);

/** The number of waiting connections; read outside of a transaction, in which pg_stat_activity is a snapshot. */
async function sleepers(): Promise<number> {
  const text =
    "select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  return place.asSuperuser(async (client) => (await client.query(text)).rows.length);
}

function idOf(index: number): string {
  return `00000000-0000-7000-8000-00000000000${index}`;
}

it("does not wait for a dump when no migration is missing", async () => {
  await migrate(database, ours);
  const dump = new pg.Client(place.address);
  await dump.connect();
  try {
    await dump.query("begin; lock table schema_migrations in access share mode");
    expect(await migrate(database, ours)).toEqual([]);
  } finally {
    await dump.end();
  }
});
