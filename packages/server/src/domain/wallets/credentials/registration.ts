/** A credential to create: its data from the proof, which was verified before the command. */

import type { WalletActivity } from "../payload-to-sign.ts";
import type { CredentialType, StoredIdentity } from "./credential.ts";
import type { Passkey } from "./passkeys.port.ts";
import type { SingleUse } from "./spent-proof.ts";

export type Registration =
  | { readonly type: "EMAIL_OTP"; readonly email: string }
  | {
      readonly type: "OAUTH";
      readonly identity: StoredIdentity;
      readonly nickname: string;
      readonly providerName: string;
      readonly tokenSha256: string;
      /** Null in a sandbox, where the token's signature is not verified. */
      readonly token: SingleUse | null;
    }
  | {
      readonly type: "PASSKEY";
      readonly nickname: string;
      readonly challenge: string;
      readonly passkey: Passkey;
    };

export function nicknameOf(registration: Registration): string {
  return registration.type === "EMAIL_OTP" ? registration.email : registration.nickname;
}

/** The activity that the owner signs to add the credential. */
export function additionOf(registration: Registration): WalletActivity {
  switch (registration.type) {
    case "EMAIL_OTP":
      return {
        type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
        parameters: { userEmail: registration.email },
      };
    case "OAUTH":
      return {
        type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS",
        parameters: {
          providerName: registration.providerName,
          oidcTokenSha256: registration.tokenSha256,
        },
      };
    case "PASSKEY":
      return {
        type: "ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2",
        parameters: {
          authenticatorName: registration.nickname,
          challenge: registration.challenge,
          credentialId: registration.passkey.credentialId,
        },
      };
  }
}

/** The activity that the owner signs to revoke a credential. */
export function removalOf(credentialId: string, type: CredentialType): WalletActivity {
  switch (type) {
    case "EMAIL_OTP":
      return { type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL", parameters: { userEmail: "" } };
    case "OAUTH":
      return {
        type: "ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS",
        parameters: { providerIds: [credentialId] },
      };
    case "PASSKEY":
      return {
        type: "ACTIVITY_TYPE_DELETE_AUTHENTICATORS",
        parameters: { authenticatorIds: [credentialId] },
      };
  }
}
