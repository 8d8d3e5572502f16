/** A database of its own for a test file, copied from the migrated one and dropped at the end. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

/** The PostgreSQL of the run. */
export interface ProvidedPostgres {
  readonly host: string;
  readonly port: number;
  readonly superuser: string;
  /** The migrated database that test databases are copied from. */
  readonly template: string;
  /** Of a Citus cluster; empty for a plain PostgreSQL. Each has every database, too. */
  readonly workers: readonly { readonly host: string; readonly port: number }[];
}

/** Whether the tables of the run's databases are distributed. */
export function isDistributed(): boolean {
  return inject("postgres").workers.length > 0;
}

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  readonly address: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  readonly superuser: string;
  readonly workers: ProvidedPostgres["workers"];
  /** Runs as the superuser, to change rows that the product cannot change. */
  asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  drop(): Promise<void>;
}

/** `from`: the name of a database without connections that is copied in place of the migrated one. */
export async function createTestDatabase(from?: string): Promise<TestDatabase> {
  const { host, port, superuser, workers, ...run } = inject("postgres");
  const template = from ?? run.template;
  const name = `test_${randomBytes(6).toString("hex")}`;
  const address = { host, port, user: superuser, database: "postgres" };
  const nodes = [address, ...workers.map((worker) => ({ ...address, ...worker }))];
  const each = async (work: (client: pg.Client) => Promise<unknown>) => {
    for (const node of nodes) await asSuperuserOf(node, work);
  };
  // The default strategy writes the whole copy to the WAL, which takes twice the time.
  await each((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy owner florin`),
  );
  return {
    name,
    url: `postgres://florin@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    address: { host, port, user: "florin", database: name },
    superuser,
    workers,
    asSuperuser: (work) => asSuperuserOf({ ...address, database: name }, work),
    async drop() {
      if (workers.length > 0) await each((client) => closeTo(client, name));
      await each((client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/** The nodes of a cluster connect to each other at any time, and a database with a connection is neither copied nor dropped. */
export async function closeTo(client: pg.Client, name: string): Promise<void> {
  await client.query(`alter database ${name} allow_connections false`);
  await client.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1",
    [name],
  );
}

async function asSuperuserOf<T>(
  where: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(where);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
