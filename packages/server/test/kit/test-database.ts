/** A database of its own for a test file, copied from the migrated one and dropped at the end. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  readonly address: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Runs as the superuser, to change rows that the product cannot change. */
  asSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { host, port } = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asSuperuserOf({ host, port, database: "postgres" }, (client) =>
    client.query(`create database ${name} template florin owner florin`),
  );
  return {
    name,
    url: `postgres://florin@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    address: { host, port, user: "florin", database: name },
    asSuperuser: (work) => asSuperuserOf({ host, port, database: name }, work),
    drop: () =>
      asSuperuserOf({ host, port, database: "postgres" }, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

async function asSuperuserOf<T>(
  where: { readonly host: string; readonly port: number; readonly database: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...where, user: "postgres" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
