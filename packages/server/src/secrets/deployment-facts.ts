/** Facts of the deployment: one value under a name, the first that was kept. Two servers that keep one at once agree on it. */
import type { Database } from "../postgres/database.ts";

/** The id of the master key that the secrets of this database are sealed with. */
export const MASTER_KEY_FACT = "master key";

/** While a deployment moves to another master key: the id of the one that may have sealed something already. */
export const OTHER_MASTER_KEY_FACT = "other master key";

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

/** Notes that a second master key seals from now on. One that has become the first is no second. */
export async function noteOtherKey(database: Database, keyId: string): Promise<void> {
  await database.withClient((client) =>
    client.query(
      "insert into deployment_facts as kept (name, value) values ($1, $2) on conflict (name) do update " +
        "set value = excluded.value where kept.value = (select value from deployment_facts where name = $3)",
      [OTHER_MASTER_KEY_FACT, keyId, MASTER_KEY_FACT],
    ),
  );
}

/** All is sealed with this master key, and with no other. */
export async function settleMasterKey(database: Database, keyId: string): Promise<void> {
  await database.withClient((client) =>
    client.query(
      "with settled as (delete from deployment_facts where name = $3) " +
        "update deployment_facts set value = $2 where name = $1",
      [MASTER_KEY_FACT, keyId, OTHER_MASTER_KEY_FACT],
    ),
  );
}

export async function forgetFact(database: Database, name: string): Promise<void> {
  await database.withClient((client) =>
    client.query("delete from deployment_facts where name = $1", [name]),
  );
}
