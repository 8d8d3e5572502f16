/**
 * The data key: made when a database is first opened, sealed under the master key, and the same for ever. Answers that
 * are kept under an idempotency key are sealed with it, because the log's hashes cover them and nothing there can be
 * written anew; files, because there are many and they are large. A new master key reseals this key instead. Two servers
 * that start at once agree on the first one.
 */
import { randomBytes } from "node:crypto";
import type { Database } from "../postgres/database.ts";
import { StartRefused } from "../std/errors.ts";
import { findFact, keepFact, NOT_READY } from "./deployment-facts.ts";
import { type MasterKey, type Sealer, toMasterKey } from "./sealing.ts";

/** Its row among the facts of the deployment. */
export const DATA_KEY_FACT = "data key";
/** What the sealed key is bound to. */
export const DATA_KEY_IDENTITY = "deployment_facts.data key";

/** Made when there is none, unless that is not for the caller to do. */
export async function openDataKey(
  database: Database,
  { sealer, mayMake }: { readonly sealer: Sealer; readonly mayMake: boolean },
): Promise<MasterKey> {
  const sealed = mayMake
    ? await keepFact(database, DATA_KEY_FACT, freshDataKey(sealer))
    : await findFact(database, DATA_KEY_FACT);
  if (sealed === undefined) throw new StartRefused(NOT_READY);
  return toMasterKey(sealer.open(sealed, DATA_KEY_IDENTITY).toString("utf8"), "the data key");
}

function freshDataKey(sealer: Sealer): string {
  return sealer.seal(randomBytes(32).toString("hex"), DATA_KEY_IDENTITY);
}
