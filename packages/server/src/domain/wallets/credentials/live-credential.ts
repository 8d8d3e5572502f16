import type { Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { findOwnedAccount, walletNeeds } from "../wallet-account.ts";
import { type Credential, credentials } from "./credential.ts";

export function credentialNeeds(world: Loaded, credentialId: string): readonly AnyRef[] {
  const credential = world.find(credentials.ref(credentialId));
  return [
    credentials.ref(credentialId),
    ...(credential === undefined ? [] : walletNeeds(world, credential.accountId)),
  ];
}

/** The credential. Refuses one that is unknown or revoked, or whose account has no owner any more. */
export function requireCredential(world: Loaded, credentialId: string): Credential {
  const credential = world.find(credentials.ref(credentialId));
  if (credential === undefined || credential.revokedAt !== null) {
    throw new Refusal("REFERENCE_NOT_FOUND");
  }
  if (findOwnedAccount(world, credential.accountId) === undefined) {
    throw new Refusal("REFERENCE_NOT_FOUND");
  }
  return credential;
}
