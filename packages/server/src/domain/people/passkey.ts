/** A passkey of a person. It is valid only for the host name that it was made for. */

import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { sha256Hex } from "../../std/digest.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import type { Person } from "./person.ts";

const columns = {
  id: fixed("uuid"),
  personId: fixed("uuid"),
  credentialId: fixed("text"),
  /** COSE, base64url. */
  publicKey: fixed("text"),
  rpId: fixed("text"),
  signCount: mutable("int8"),
  backupEligible: fixed("bool"),
  /** Whether it is synced to other devices, as its authenticator last reported. */
  isSynced: mutable("bool"),
  transports: fixed<readonly string[]>("json"),
  nickname: mutable("text"),
  createdAt: fixed("time"),
  lastUsedAt: mutable<number | null>("time"),
  /** When its signature counter first went back, which suggests that the passkey was copied. */
  counterBackAt: mutable<number | null>("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface PersonPasskey extends RowOf<typeof columns> {}

export const personPasskeys = defineTable<PersonPasskey>("person_passkeys", columns);

export const passkeysOf = defineLookup(personPasskeys, {
  by: "personId",
  where: { sql: "t.deleted_at is null", holds: ({ deletedAt }) => deletedAt === null },
});

export const MOST_PASSKEYS = 20;

/** A registration that was verified. */
export type NewPasskey = Pick<
  PersonPasskey,
  "credentialId" | "publicKey" | "rpId" | "signCount" | "backupEligible" | "isSynced" | "transports"
> & { readonly nickname: string };

/** The key of a passkey in the deployment's directory, which leads to its workspace. */
export function passkeyHandle(credentialId: string): string {
  return `passkey:${sha256Hex(credentialId)}`;
}

export function putPasskey(
  world: World,
  { id: personId }: Pick<Person, "id">,
  passkey: NewPasskey,
): PersonPasskey {
  world.claimHandle(passkeyHandle(passkey.credentialId));
  return world.put(personPasskeys, {
    id: world.newId(),
    personId,
    credentialId: passkey.credentialId,
    publicKey: passkey.publicKey,
    rpId: passkey.rpId,
    signCount: passkey.signCount,
    backupEligible: passkey.backupEligible,
    isSynced: passkey.isSynced,
    transports: passkey.transports,
    nickname: passkey.nickname,
    createdAt: world.at,
    lastUsedAt: null,
    counterBackAt: null,
    deletedAt: null,
  });
}

/** The refusal of an act that needs a passkey, in a session that an issuer opened. */
export function passkeyAskedFor(): Refusal {
  return new Refusal(
    "FORBIDDEN",
    { reason: "STEP_UP_REQUIRED", proof: "PASSKEY" },
    "Show your passkey first: POST /console/api/step-up.",
  );
}
