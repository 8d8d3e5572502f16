/**
 * Makes a PostgreSQL that somebody started usable for a test run: a role `florin`, and a migrated database that test databases are
 * copied from. Where the database of the URL knows the nodes of a Citus cluster, the tables of that database are distributed over
 * them, and every database is made on every node.
 */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../src/postgres/database.ts";
import { distribute } from "../../src/postgres/distribution.ts";
import { migrate, readMigrations } from "../../src/postgres/migrate.ts";
import { silentLog } from "../../src/std/log.ts";
import { closeTo, type ProvidedPostgres } from "./test-database.ts";

export interface OutsidePostgres {
  readonly provided: ProvidedPostgres;
  stop(): Promise<void>;
}

/** Few, because each test database has so many files of each table. */
const SHARDS = 4;

export async function useOutsidePostgres(url: string): Promise<OutsidePostgres> {
  const { hostname, port, username, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  const given = { host, port: Number(searchParams.get("port") ?? (port || 5432)) };
  const superuser = decodeURIComponent(username) || "postgres";
  const workers = await as(url, findWorkers);
  const template = `florin_test_${randomBytes(6).toString("hex")}`;
  const provided = { ...given, superuser, template, workers };
  const inEach = async (database: string, work: (client: pg.Client) => Promise<unknown>) => {
    for (const node of [given, ...workers]) {
      await as({ ...node, user: superuser, database }, work);
    }
  };
  await inEach("postgres", async (client) => {
    await client.query(CREATE_ROLE);
    await client.query(
      `create database ${template} owner florin template template0 encoding 'UTF8'`,
    );
  });
  const stop = () =>
    inEach("postgres", (client) =>
      client.query(`drop database if exists ${template} with (force)`),
    );
  try {
    if (workers.length > 0) {
      await inEach("postgres", (client) => client.query(LOCK_TIMEOUT));
      await inEach(template, (client) =>
        client.query("create extension citus; alter schema public owner to florin"),
      );
      await as({ ...given, user: superuser, database: template }, async (client) => {
        await client.query("select citus_set_coordinator_host($1, $2)", [given.host, given.port]);
        for (const node of workers) {
          await client.query("select citus_add_node($1, $2)", [node.host, node.port]);
        }
      });
    }
    const address = { ...given, user: "florin", database: template };
    const database = openDatabase({ address, log: silentLog });
    await migrate(database, await readMigrations(new URL("../../migrations/", import.meta.url)));
    if (workers.length > 0) await distribute(database, { shards: SHARDS });
    await database.close();
    if (workers.length > 0) await inEach("postgres", (client) => closeTo(client, template));
    return { provided, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const CREATE_ROLE =
  "do $$ begin if not exists (select from pg_roles where rolname = 'florin') then create role florin login; end if; end $$";
/** As the start recommends it for the nodes. */
const LOCK_TIMEOUT = "alter role florin set lock_timeout = '3s'";

async function findWorkers(client: pg.Client): Promise<ProvidedPostgres["workers"]> {
  const known = await client.query("select to_regclass('pg_dist_node') is not null as is_cluster");
  if (known.rows[0]?.is_cluster !== true) return [];
  const { rows } = await client.query<{ host: string; port: number }>(
    "select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid > 0 order by 1, 2",
  );
  return rows;
}

async function as<T>(
  where: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(where);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
