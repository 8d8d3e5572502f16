/** A credential: a means by which the owner of an embedded wallet authenticates to get a session. */

import type { Loaded } from "../../../engine/command.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import {
  type AnyRef,
  defineLookup,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import { findOwnedAccount, walletNeeds } from "../wallet-account.ts";
import type { OidcIdentity } from "./oidc.port.ts";
import type { Passkey } from "./passkeys.port.ts";

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

export const credentialTypes = ["OAUTH", "EMAIL_OTP", "PASSKEY"] as const;

export type CredentialType = (typeof credentialTypes)[number];

/** The identity that an ID token must have. A sandbox accepts tokens without an audience or a subject. */
export interface StoredIdentity {
  readonly issuer: string;
  readonly audience: string | null;
  readonly subject: string | null;
}

/** The identity, if it is complete; undefined otherwise. */
export function toIdentity(stored: StoredIdentity | null): OidcIdentity | undefined {
  if (stored === null) return undefined;
  const { issuer, audience, subject } = stored;
  return audience === null || subject === null ? undefined : { issuer, audience, subject };
}

/** The pending code. A new code replaces it; the right guess consumes it. */
export interface PendingCode {
  readonly id: string;
  /** Keyed hash, hexadecimal. */
  readonly digest: string;
  readonly tries: number;
  readonly expiresAt: number;
}

const columns = {
  id: fixed("uuid"),
  accountId: fixed("uuid"),
  type: fixed<CredentialType>("text"),
  /** The address of EMAIL_OTP. */
  nickname: fixed("text"),
  /** Only for OAUTH. */
  identity: fixed<StoredIdentity | null>("json"),
  /** Only for PASSKEY. */
  passkeyId: fixed<string | null>("text"),
  passkey: mutable<Passkey | null>("json"),
  /** Only for EMAIL_OTP in production. */
  code: mutable<PendingCode | null>("json"),
  /** The code itself, until its mail was sent. */
  codeSealed: mutable<string | null>("text"),
  /** When the codes of the last hour were made. */
  codeTimes: mutable<readonly number[]>("json"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  revokedAt: mutable<number | null>("time"),
};

/**
 * Live until it is revoked; revocation is final. The last live credential of an account cannot be revoked, so an account
 * that has a credential always has one.
 */
export interface Credential extends RowOf<typeof columns> {}

export const credentials = defineTable<Credential>("wallet_credentials", columns, {
  isFinal: ({ revokedAt }) => revokedAt !== null,
});

export const liveCredentialsOf = defineLookup(credentials, {
  by: "accountId",
  where: { sql: "t.revoked_at is null", holds: ({ revokedAt }) => revokedAt === null },
});

/** Includes revoked ones, so that a revoked passkey cannot be registered again. */
export const credentialsOfPasskey = defineLookup(credentials, { by: "passkeyId" });

/** A bound on the rows that a command loads; no real wallet needs more. */
export const MAX_CREDENTIALS = 20;

/** The associated data of the sealed code. */
export function codeIdentity(platformId: string, codeId: string): string {
  return `wallet_credentials.code ${platformId} ${codeId}`;
}

/** Refuses a proof of another type than the credential's as an invalid field, not as a wrong proof. */
export function refuseOtherType(credential: Credential, type: CredentialType): void {
  if (credential.type === type) return;
  throw invalidFields([wrongType(credential.type)]);
}

function wrongType(type: CredentialType): FieldError {
  return {
    field: "type",
    message: `must be ${type}, the type of this credential`,
    constraint: { enum: [type] },
  };
}

/** The refusal of a wrong proof. Its reason does not say which part was wrong. */
export function unproven(reason: string): Refusal {
  return new Refusal("UNAUTHORIZED", { reason }, reason);
}

export const WRONG_CODE = "Invalid OTP code";
export const WRONG_ATTESTATION = "Invalid passkey attestation";
export const WRONG_ASSERTION = "Invalid passkey signature";
export const WRONG_TOKEN = "Invalid OIDC token";
