/** Facts of the deployment, one row per name. The first insert wins, so servers that start at the same time agree. */
import type { Database } from "../postgres/database.ts";

/** The id of the master key that seals the secrets of this database. */
export const MASTER_KEY_FACT = "master key";

/** During a rotation of the master key: the id of the second key, with which secrets may already be sealed. */
export const OTHER_MASTER_KEY_FACT = "other master key";

/** The state after a first start that was killed between the migrations and the keys. */
export const NOT_READY =
  "this database has a schema but no keys yet: run `florin migrate` or start the server first";

/** Inserts the value unless the fact exists; returns the stored value. */
export async function storeFactOnce(
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

/**
 * Records the second master key before it seals anything. The update happens only while the stored second key equals the
 * first one, so a third key is not accepted during a rotation. The first one is read before, because Citus takes no subquery there.
 */
export async function recordSecondKey(database: Database, keyId: string): Promise<void> {
  const first = await findFact(database, MASTER_KEY_FACT);
  await database.withClient((client) =>
    client.query(
      "insert into deployment_facts as kept (name, value) values ($1, $2) on conflict (name) do update " +
        "set value = excluded.value where kept.value = $3",
      [OTHER_MASTER_KEY_FACT, keyId, first],
    ),
  );
}

/** Ends a rotation: all secrets are sealed with this master key. */
export async function settleMasterKey(database: Database, keyId: string): Promise<void> {
  await database.withClient((client) =>
    client.query(
      "with settled as (delete from deployment_facts where name = $3) " +
        "update deployment_facts set value = $2 where name = $1",
      [MASTER_KEY_FACT, keyId, OTHER_MASTER_KEY_FACT],
    ),
  );
}

export async function deleteFact(database: Database, name: string): Promise<void> {
  await database.withClient((client) =>
    client.query("delete from deployment_facts where name = $1", [name]),
  );
}
