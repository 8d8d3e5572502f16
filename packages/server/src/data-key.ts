/**
 * The data key: made when a database is first opened, sealed under the master key, and the same for ever. Answers that are
 * kept under an idempotency key are sealed with it, because the log's hashes cover them and nothing there can be written
 * anew; files, because there are many and they are large. A new master key reseals this key instead. Two servers that start at once agree on the first one.
 */
import { randomBytes } from "node:crypto";
import { present } from "./std/assert.ts";
import type { Database } from "./storage/database.ts";
import { type MasterKey, type Sealer, toMasterKey } from "./storage/sealing.ts";

/** Its row among the facts of the deployment. */
export const DATA_KEY_FACT = "data key";
/** What the sealed key is bound to. */
export const DATA_KEY_IDENTITY = "deployment_facts.data key";

export async function openDataKey(database: Database, sealer: Sealer): Promise<MasterKey> {
  const fresh = sealer.seal(randomBytes(32).toString("hex"), DATA_KEY_IDENTITY);
  const kept = await database.withClient(async (client) => {
    await client.query(
      "insert into deployment_facts (name, value) values ($1, $2) on conflict do nothing",
      [DATA_KEY_FACT, fresh],
    );
    return client.query<{ value: string }>("select value from deployment_facts where name = $1", [
      DATA_KEY_FACT,
    ]);
  });
  const sealed = present(kept.rows[0]?.value, "the data key");
  return toMasterKey(sealer.open(sealed, DATA_KEY_IDENTITY).toString("utf8"), "the data key");
}
