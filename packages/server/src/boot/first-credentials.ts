/**
 * The credentials of the platform that a first start makes, until somebody has seen them.
 *
 * Steps: they are kept, sealed → the platform is made with them → the server listens → they are printed → they are
 * forgotten. If the process dies between any two of these, or does not come to listen, the next start goes on with the same
 * ones and prints them; at worst they are printed twice. Two servers that start at once agree on the first ones kept. What
 * is kept but belongs to no token (another platform was made meanwhile, the token was deleted) is forgotten unseen.
 */

import { findTokenByClientId } from "../domain/tokens/token.sql.ts";
import { hashSecret } from "../domain/tokens/token.ts";
import type { Database } from "../postgres/database.ts";
import { findFact, forgetFact, keepFact } from "../secrets/deployment-facts.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { present } from "../std/assert.ts";

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface CredentialTools {
  readonly database: Database;
  readonly sealer: Sealer;
}

/** Their row among the facts of the deployment. */
export const FIRST_CREDENTIALS_FACT = "first credentials";
/** What they are bound to when sealed. */
export const FIRST_CREDENTIALS_IDENTITY = "deployment_facts.first credentials";

/** Keeps these, unless there are some already; answers those that count. */
export async function keepFirstCredentials(
  { database, sealer }: CredentialTools,
  fresh: Credentials,
): Promise<Credentials> {
  const sealed = sealer.seal(JSON.stringify(fresh), FIRST_CREDENTIALS_IDENTITY);
  const kept = await keepFact(database, FIRST_CREDENTIALS_FACT, sealed);
  return opened(sealer, present(kept, "the first credentials"));
}

/** Those that nobody has seen, with the platform that they are of. */
export async function findUnseenCredentials({
  database,
  sealer,
}: CredentialTools): Promise<(Credentials & { readonly platformId: string }) | undefined> {
  const kept = await findFact(database, FIRST_CREDENTIALS_FACT);
  if (kept === undefined) return undefined;
  const credentials = opened(sealer, kept);
  const found = await findTokenByClientId(database.reads, credentials.clientId);
  if (found?.token.secretHash.equals(hashSecret(credentials.clientSecret)) === true) {
    return { ...credentials, platformId: found.platformId };
  }
  await forgetFirstCredentials(database);
  return undefined;
}

export function forgetFirstCredentials(database: Database): Promise<void> {
  return forgetFact(database, FIRST_CREDENTIALS_FACT);
}

function opened(sealer: Sealer, sealed: string): Credentials {
  return JSON.parse(
    sealer.open(sealed, FIRST_CREDENTIALS_IDENTITY).toString("utf8"),
  ) as Credentials;
}
