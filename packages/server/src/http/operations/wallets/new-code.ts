import { findPlatform } from "../../../domain/platform.sql.ts";
import type { NewCode } from "../../../domain/wallets/credentials/one-time-code.port.ts";
import type { Principal } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** A code to be mailed; undefined in a sandbox, where every code is the same, and without mail. */
export async function newCodeFor(
  { reads, wallets }: Services,
  { platformId, environment }: Principal,
): Promise<NewCode | undefined> {
  if (environment === "SANDBOX" || !wallets.mailer.canSend) return undefined;
  const platform = await findPlatform(reads, platformId);
  return wallets.codes.issue(platformId, platform?.embeddedWalletConfig ?? null);
}
