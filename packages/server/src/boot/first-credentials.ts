/**
 * The credentials of the platform that a first start creates, until they have been shown.
 *
 * Steps: store them sealed → create the platform with them → listen → print them → delete them. If the process dies between
 * any two steps, or cannot listen, the next start resumes with the same credentials and prints them; at worst they are
 * printed twice. Two servers that start together agree on the first credentials stored. Stored credentials that belong to
 * no token (another platform was created meanwhile, or the token was deleted) are deleted without being printed.
 */

import { findTokenByClientId } from "../domain/people/tokens/token.sql.ts";
import { hashSecret } from "../domain/token.ts";
import type { Database } from "../postgres/database.ts";
import { deleteFact, findFact, storeFactOnce } from "../secrets/deployment-facts.ts";
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

/** The key of their row in `deployment_facts`. */
export const FIRST_CREDENTIALS_FACT = "first credentials";
/** The associated data that they are sealed with. */
export const FIRST_CREDENTIALS_IDENTITY = "deployment_facts.first credentials";

/** Stores these credentials unless some are stored already; returns the stored ones. */
export async function keepFirstCredentials(
  { database, sealer }: CredentialTools,
  fresh: Credentials,
): Promise<Credentials> {
  const sealed = sealer.seal(JSON.stringify(fresh), FIRST_CREDENTIALS_IDENTITY);
  const kept = await storeFactOnce(database, FIRST_CREDENTIALS_FACT, sealed);
  return opened(sealer, present(kept, "the first credentials"));
}

/** The stored credentials that were not shown yet, with their platform. */
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
  return deleteFact(database, FIRST_CREDENTIALS_FACT);
}

function opened(sealer: Sealer, sealed: string): Credentials {
  return JSON.parse(
    sealer.open(sealed, FIRST_CREDENTIALS_IDENTITY).toString("utf8"),
  ) as Credentials;
}
