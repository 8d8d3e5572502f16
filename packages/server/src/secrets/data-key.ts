/**
 * The data key: generated when a database is first opened, sealed under the master key, never rotated. It seals two things
 * that a rotation of the master key cannot reseal: responses stored for idempotent replay, because the hash chain of the
 * command log covers them, and files, because of their size. A rotation reseals the data key instead. Two servers that start
 * at the same time use the key that was stored first.
 */
import { randomBytes } from "node:crypto";
import type { Database } from "../postgres/database.ts";
import { StartRefused } from "../std/errors.ts";
import { findFact, NOT_READY, storeFactOnce } from "./deployment-facts.ts";
import { type MasterKey, type Sealer, toMasterKey } from "./sealing.ts";

export const DATA_KEY_FACT = "data key";
/** The identity that is authenticated with the sealed key. */
export const DATA_KEY_IDENTITY = "deployment_facts.data key";

/** Creates the key when there is none and `mayCreate` is set; refuses the start otherwise. */
export async function openDataKey(
  database: Database,
  { sealer, mayCreate }: { readonly sealer: Sealer; readonly mayCreate: boolean },
): Promise<MasterKey> {
  const sealed = mayCreate
    ? await storeFactOnce(database, DATA_KEY_FACT, freshDataKey(sealer))
    : await findFact(database, DATA_KEY_FACT);
  if (sealed === undefined) throw new StartRefused(NOT_READY);
  return toMasterKey(sealer.open(sealed, DATA_KEY_IDENTITY).toString("utf8"), "the data key");
}

function freshDataKey(sealer: Sealer): string {
  return sealer.seal(randomBytes(32).toString("hex"), DATA_KEY_IDENTITY);
}
