/** Facts of the deployment: one value under a name, the first that was kept. Two servers that keep one at once agree on it. */
import type { Database } from "./storage/database.ts";

/** The id of the master key that the secrets of this database are sealed with. */
export const MASTER_KEY_FACT = "master key";

/** A start that was cut off may have made the schema and no more. */
export const NOT_READY =
  "this database has a schema but no keys yet: run `florin migrate` or start the server first";

/** Keeps the value unless there is one, and answers the one that is there. */
export async function keepFact(
  database: Database,
  name: string,
  value: string,
): Promise<string | undefined> {
  await database.withClient((client) =>
    client.query(
      "insert into deployment_facts (name, value) values ($1, $2) on conflict do nothing",
      [name, value],
    ),
  );
  return findFact(database, name);
}

export async function findFact(database: Database, name: string): Promise<string | undefined> {
  const kept = await database.withClient((client) =>
    client.query<{ value: string }>("select value from deployment_facts where name = $1", [name]),
  );
  return kept.rows[0]?.value;
}

export async function forgetFact(database: Database, name: string): Promise<void> {
  await database.withClient((client) =>
    client.query("delete from deployment_facts where name = $1", [name]),
  );
}
