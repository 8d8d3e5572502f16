/** Credentials and sessions of embedded wallets, and what their owners sign. */

import type { Open } from "./types.ts";

export type CredentialType = "OAUTH" | "EMAIL_OTP" | "PASSKEY";

export interface AuthMethod {
  readonly id: string;
  readonly accountId: string;
  readonly type: CredentialType;
  readonly nickname: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The last three come with a passkey alone. */
export interface ChallengedAuthMethod extends AuthMethod {
  readonly challenge?: string;
  readonly requestId?: string;
  readonly expiresAt?: string;
}

/** The answer to a first call: to be signed by the owner's session and sent again. */
export interface SignedRetryChallenge {
  readonly payloadToSign: string;
  readonly requestId: string;
  readonly expiresAt: string;
  readonly type?: CredentialType;
}

/** What the second call carries: the `requestId` of the first one's answer and the stamp over its `payloadToSign`. */
export interface OwnerSignature {
  readonly requestId: string;
  readonly stamp: string;
}

export interface SignedOptions {
  /** On the second call. */
  readonly signature?: OwnerSignature;
}

export interface AuthSession {
  readonly id: string;
  readonly accountId: string;
  readonly type: CredentialType;
  readonly nickname: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  /** Only in the answer that issues it. */
  readonly encryptedSessionSigningKey?: string;
}

export type NewCredential =
  | { readonly type: "EMAIL_OTP"; readonly accountId: string; readonly email?: string }
  | { readonly type: "OAUTH"; readonly accountId: string; readonly oidcToken: string }
  | {
      readonly type: "PASSKEY";
      readonly accountId: string;
      readonly nickname: string;
      readonly challenge: string;
      readonly attestation: {
        readonly credentialId: string;
        readonly clientDataJson: string;
        readonly attestationObject: string;
        readonly transports?: readonly Open<"usb" | "nfc" | "ble" | "internal" | "hybrid">[];
      };
    };

export type CredentialProof =
  | { readonly type: "EMAIL_OTP"; readonly otp: string; readonly clientPublicKey: string }
  | { readonly type: "OAUTH"; readonly oidcToken: string; readonly clientPublicKey: string }
  | {
      readonly type: "PASSKEY";
      readonly assertion: {
        readonly credentialId: string;
        readonly clientDataJson: string;
        readonly authenticatorData: string;
        readonly signature: string;
        readonly userHandle?: string | null;
      };
    };

/** All that a wallet has is listed at once. */
export interface WalletQuery {
  readonly accountId: string;
}

/** `openExport` of the wallet module opens it. */
export interface WalletExport {
  readonly id: string;
  readonly encryptedWalletCredentials: string;
}
