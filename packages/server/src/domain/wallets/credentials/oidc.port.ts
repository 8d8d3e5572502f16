/** OpenID Connect: the identity in an ID token, after the issuer's signature is verified. */
import type { Environment } from "../../platform.ts";
import type { SingleUse } from "./spent-proof.ts";

/** All three together name one person at one application; a credential is bound to all three. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
}

export interface OidcClaims {
  /** Members that a token in a sandbox lacks are null; in production none is. */
  readonly issuer: string;
  readonly audience: string | null;
  readonly subject: string | null;
  readonly email: string | null;
  /** `Google`, `Apple`, or the host of another issuer. */
  readonly providerName: string;
}

/** 400 when a credential is made, 401 when one is verified. */
export interface UnusableToken {
  readonly kind: "malformed";
  readonly reason: "structure" | "issuer";
  readonly message: string;
}

export type SandboxToken = { readonly kind: "read"; readonly claims: OidcClaims } | UnusableToken;

export type ProvenToken =
  | {
      readonly kind: "proven";
      readonly identity: OidcIdentity;
      readonly email: string | null;
      readonly providerName: string;
      /** Marks the token as used: it serves for one credential or one session only. */
      readonly token: SingleUse;
    }
  | UnusableToken
  /** 401. `reason` is for people and repeats nothing from the token. */
  | { readonly kind: "unproven"; readonly reason: string };

export interface OidcTokens {
  /** Structure and a recognised issuer, nothing else: for `POST /auth/credentials` in a sandbox. */
  read(token: string): SandboxToken;
  /** The full verification. Throws a `Fault` when the issuer's keys cannot be fetched. */
  prove(request: {
    readonly token: string;
    readonly environment: Environment;
    /** Platform time. */
    readonly at: number;
    /** On verify: a `nonce` claim must then be the digest of this key. */
    readonly clientPublicKey?: string | undefined;
    /** On verify: the identity that the token must have. Checked before the issuer's keys are fetched. */
    readonly owner?: OidcIdentity | undefined;
  }): Promise<ProvenToken>;
}

/** Compares all three, exactly. */
export function isSameIdentity(left: OidcIdentity, right: OidcIdentity): boolean {
  return (
    left.issuer === right.issuer &&
    left.audience === right.audience &&
    left.subject === right.subject
  );
}
