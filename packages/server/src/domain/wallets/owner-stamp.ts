/**
 * Whether the owner of a wallet has signed. The signature itself is checked before a command, over the stored text; what can
 * change is checked here, at the commit: whose key it is, and whether that session is still active.
 */
import type { Loaded, World } from "../../engine/command.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { platforms } from "../platforms/platform.ts";
import { unproven } from "./credentials/credential.ts";
import { activeSessions, openSessionsOf, type Session } from "./session.ts";
import { findOwnedAccount, walletNeeds } from "./wallet-account.ts";

/** What came in `Service-Wallet-Signature`, after every check that needs no key. */
export type OwnerStamp =
  /** The header was not sent. */
  | { readonly kind: "missing" }
  /** Not a stamp at all. */
  | { readonly kind: "unreadable" }
  /** A stamp that does not fit the text. */
  | { readonly kind: "wrong" }
  /** The word that a sandbox takes for a stamp. */
  | { readonly kind: "sandbox-word" }
  /** The holder of this key has signed exactly this text. */
  | { readonly kind: "signed"; readonly publicKey: string; readonly payloadToSign: string };

export const WRONG_STAMP = "Invalid Service-Wallet-Signature";
export const MISSING_STAMP = "Missing Service-Wallet-Signature";

export interface StampWanted {
  readonly accountId: string;
  readonly payloadToSign: string;
  /** Which of the account's sessions may sign this; any, when absent. */
  readonly maySign?: ((session: Session) => boolean) | undefined;
}

export function stampNeeds(world: Loaded, accountId: string): readonly AnyRef[] {
  return [openSessionsOf.of(accountId), ...walletNeeds(world, accountId)];
}

/**
 * Refuses a stamp that was not made over this text by an active session of this account. In a sandbox no key names a
 * session, so the word alone counts.
 */
export function refuseUnlessStamped(
  world: World,
  { accountId, payloadToSign, maySign = () => true }: StampWanted,
  stamp: OwnerStamp,
): void {
  if (stamp.kind === "missing") throw unproven(MISSING_STAMP);
  if (stamp.kind === "sandbox-word") {
    if (world.get(platforms.ref(world.platformId)).environment === "SANDBOX") return;
    throw unproven(WRONG_STAMP);
  }
  if (stamp.kind !== "signed" || stamp.payloadToSign !== payloadToSign) throw unproven(WRONG_STAMP);
  if (findOwnedAccount(world, accountId) === undefined) throw unproven(WRONG_STAMP);
  const signer = activeSessions(world, accountId).find(
    ({ publicKey }) => publicKey === stamp.publicKey,
  );
  if (signer === undefined || !maySign(signer)) throw unproven(WRONG_STAMP);
}
