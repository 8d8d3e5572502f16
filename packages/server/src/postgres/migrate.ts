/**
 * Forward-only migrations: numbered SQL files. Each runs once, in one transaction with its entry in `schema_migrations`. If
 * the process dies, the next start runs the remaining ones. Servers that start at the same time are serialised by a table
 * lock. A file that was changed after it ran is refused by its checksum.
 */
import { readdir, readFile } from "node:fs/promises";
import type { Client } from "pg";
import { sha256Hex } from "../std/digest.ts";
import { StartRefused } from "../std/errors.ts";
import { type Database, sqlStateOf } from "./database.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

export async function readMigrations(directory: URL): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, directory), "utf8");
      const checksum = sha256Hex(sql);
      return { version: Number(name.slice(0, 4)), name, sql, checksum };
    }),
  );
}

/**
 * Runs the missing migrations and returns their names. When none is missing it takes no lock, so a start does not wait for
 * the locks of a running `pg_dump`.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  return database.withClient(async (client) => {
    await createMigrationsTable(client);
    const ran = await checksumsOf(client);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (ran.get(migration.version) === migration.checksum) continue;
      if (await applyOne(client, migration)) applied.push(migration.name);
    }
    await refuseNewer(client, migrations);
    return applied;
  });
}

/** Refuses a database whose schema differs from that of these migrations. Changes nothing. */
export async function refuseOtherSchema(
  database: Database,
  options: { readonly migrations: readonly Migration[]; readonly isServed: boolean },
): Promise<void> {
  const { migrations, isServed } = options;
  const checksums = await database.withClient(async (client) => {
    const table = await client.query("select 1 where to_regclass('schema_migrations') is not null");
    if (table.rows.length === 0) return new Map<number, string>();
    await refuseNewer(client, migrations);
    return checksumsOf(client);
  });
  const missing = migrations.find(({ version, checksum }) => checksums.get(version) !== checksum);
  if (missing === undefined) return;
  if (isServed) {
    throw new StartRefused(
      `the database of the running server lacks migration ${missing.name}: that server is still starting, or has another version than this program`,
    );
  }
  if (checksums.size === 0) {
    throw new StartRefused(
      "there is no schema of Florin in this database: check what DATABASE_URL or DATA_DIR points to; only `florin start`, `florin migrate` and `florin platform create` make one",
    );
  }
  if (checksums.has(missing.version)) throw changed(missing);
  throw new StartRefused(
    `the schema of this database is older than this program: it lacks migration ${missing.name}; run \`florin migrate\` or start the server first`,
  );
}

async function checksumsOf(client: Client): Promise<ReadonlyMap<number, string>> {
  const ran = await client.query<{ version: string; checksum: string }>(
    "select version, checksum from schema_migrations",
  );
  return new Map(ran.rows.map(({ version, checksum }) => [Number(version), checksum]));
}

function changed({ name }: Migration): StartRefused {
  return new StartRefused(`migration ${name} was changed after it ran on this database`);
}

/** SQLSTATEs of a `create table` when the table, its type or their catalogue rows exist already. */
const ALREADY_THERE: ReadonlySet<string> = new Set(["23505", "42710", "42P07"]);

/** `create table if not exists` is not atomic: with two servers at the same time it fails in one of them. */
async function createMigrationsTable(client: Client): Promise<void> {
  try {
    await client.query(
      "create table if not exists schema_migrations (" +
        "version int4 primary key, name text not null, checksum text not null, " +
        "applied_at timestamptz not null default now())",
    );
  } catch (error) {
    if (!ALREADY_THERE.has(sqlStateOf(error) ?? "")) throw error;
  }
}

async function applyOne(client: Client, migration: Migration): Promise<boolean> {
  await client.query("begin");
  try {
    await client.query("lock table schema_migrations in access exclusive mode");
    const found = await client.query<{ checksum: string }>(
      "select checksum from schema_migrations where version = $1",
      [migration.version],
    );
    const [known] = found.rows;
    if (known !== undefined && known.checksum !== migration.checksum) throw changed(migration);
    if (known === undefined) {
      for (const statement of statementsOf(migration.sql)) await client.query(statement);
      await client.query(
        "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)",
        [migration.version, migration.name, migration.checksum],
      );
    }
    await client.query("commit");
    return known === undefined;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Splits a migration: Citus takes one change of a distributed table per call. A `;` at a line end outside of `$$` ends a statement. */
export function statementsOf(sql: string): readonly string[] {
  const statements: string[] = [];
  let statement = "";
  for (const lines of `${sql}\n`.split(/(?<=;[^\S\n]*\n)/)) {
    statement += lines;
    if ((statement.match(/\$\$/g)?.length ?? 0) % 2 === 1) continue;
    if (statement.trim() !== "") statements.push(statement.trim());
    statement = "";
  }
  return statements;
}

async function refuseNewer(client: Client, migrations: readonly Migration[]): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  const found = await client.query<{ name: string }>(
    "select name from schema_migrations where version > $1 order by version limit 1",
    [newest],
  );
  const [unknown] = found.rows;
  if (unknown !== undefined) {
    throw new StartRefused(
      `the database is newer than this program: it has migration ${unknown.name}`,
    );
  }
}
