/**
 * The stamp of a wallet's owner. The signature is verified before the command, over the stored text. The command checks at
 * the commit that the key belongs to an active session of the account.
 */
import type { Loaded, World } from "../../engine/command.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { platforms } from "../platform.ts";
import { unproven } from "./credentials/credential.ts";
import { activeSessions, openSessionsOf, type Session } from "./session.ts";
import { findOwnedAccount, walletNeeds } from "./wallet-account.ts";

/** What came in `Service-Wallet-Signature`, after every check that needs no key. */
export type OwnerStamp =
  /** The header was not sent. */
  | { readonly kind: "missing" }
  /** Not a well-formed stamp. */
  | { readonly kind: "unreadable" }
  /** A signature that does not verify over the text. */
  | { readonly kind: "wrong" }
  /** The constant that a sandbox accepts as a stamp. */
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
 * session, so only the constant is compared.
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
