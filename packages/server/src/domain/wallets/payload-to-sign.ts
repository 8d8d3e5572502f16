/**
 * The exact text that a wallet's owner signs before anything is done in the owner's name.
 *
 * It is made once, in the command that asks for the signature, and stored; the stamp is checked over the stored text. It binds the platform
 * and its environment, the account, the operation and its target, the digest of the body, the id of the request and its expiry, so a
 * signature is valid for one act, once, for a few minutes. Clients sign the characters unchanged, whatever they encode.
 *
 * Form: JSON with sorted keys and no blanks, in base64url without padding. `organizationId` names the wallet; the export carries the same
 * one.
 */

import { sha256Hex } from "../../std/digest.ts";
import { canonicalJson, type JsonObject } from "../../std/json.ts";
import type { Environment } from "../platform.ts";
import type { ClientPublicKey } from "./wallet-crypto.port.ts";

export type WalletOperation =
  | "ADD_CREDENTIAL"
  | "REVOKE_CREDENTIAL"
  | "REVOKE_SESSION"
  | "CREATE_SESSION"
  | "REFRESH_SESSION"
  | "EXPORT_WALLET"
  | "EXECUTE_QUOTE";

/** The activity to sign, readable in a wallet client. It contains no secret: tokens and proofs are included as digests. */
export type WalletActivity =
  | {
      readonly type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL";
      readonly parameters: { readonly userEmail: string };
    }
  | {
      readonly type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS";
      readonly parameters: { readonly providerName: string; readonly oidcTokenSha256: string };
    }
  | {
      readonly type: "ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2";
      readonly parameters: {
        readonly authenticatorName: string;
        readonly challenge: string;
        readonly credentialId: string;
      };
    }
  | {
      readonly type: "ACTIVITY_TYPE_DELETE_AUTHENTICATORS";
      readonly parameters: { readonly authenticatorIds: readonly string[] };
    }
  | {
      readonly type: "ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS";
      readonly parameters: { readonly providerIds: readonly string[] };
    }
  | {
      readonly type: "ACTIVITY_TYPE_DELETE_API_KEYS";
      readonly parameters: { readonly apiKeyIds: readonly string[] };
    }
  | {
      readonly type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2";
      readonly parameters: { readonly targetPublicKey: ClientPublicKey };
    }
  | {
      readonly type: "ACTIVITY_TYPE_EXPORT_WALLET";
      readonly parameters: { readonly targetPublicKey: ClientPublicKey; readonly walletId: string };
    }
  | { readonly type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2"; readonly parameters: PaymentToSign };

/** Amount and payee of a payment: change one, and the signature is void. Amounts are whole numbers as text. */
interface PaymentToSign {
  readonly signWith: string;
  readonly quoteId: string;
  readonly sendingCurrency: string;
  readonly totalSendingAmount: string;
  readonly receivingCurrency: string;
  readonly totalReceivingAmount: string;
  /** The quote's destination as the API shows it. */
  readonly destination: JsonObject;
}

export interface SigningRequest {
  readonly environment: Environment;
  readonly platformId: string;
  /** The uuid of the internal account. */
  readonly accountId: string;
  readonly operation: WalletOperation;
  /** The uuid of what is acted upon: the credential, the session, the quote, or the account itself. */
  readonly target: string;
  /** `bodyDigestOf` the request. */
  readonly bodySha256: string;
  /** The id in `Request-Id`; for a quote the quote's own. */
  readonly requestId: string;
  /** Platform time. */
  readonly at: number;
  readonly expiresAt: number;
  readonly activity: WalletActivity;
}

export interface SigningPayload {
  /** The payload before it is encoded, as JSON text. */
  readonly json: string;
  /** `payloadToSign` of the answer: the text to store, and the text whose characters are signed. */
  readonly payloadToSign: string;
}

const VERSION = "1";

export function signingPayload(request: SigningRequest): SigningPayload {
  const { activity, at, accountId } = request;
  const json = canonicalJson({
    organizationId: organizationIdOf(accountId),
    parameters: {
      ...activity.parameters,
      accountId,
      bodySha256: request.bodySha256,
      environment: request.environment,
      expiresAt: String(request.expiresAt),
      operation: request.operation,
      platformId: request.platformId,
      requestId: request.requestId,
      target: request.target,
      userId: accountId,
      version: VERSION,
    },
    timestampMs: String(at),
    type: activity.type,
  });
  return { json, payloadToSign: Buffer.from(json, "utf8").toString("base64url") };
}

/** The stable id of a wallet in the owner's software. */
export function organizationIdOf(accountId: string): string {
  return accountId;
}

/** The digest of a request's body: equal for the same members and values, whatever their order and spacing. */
export function bodyDigestOf(body: unknown): string {
  return sha256Hex(canonicalJson(body));
}

/** The WebAuthn challenge of a login: the digest of the payload of the session to open, so it binds the client's key. */
export function passkeyChallengeOf(session: SigningPayload): string {
  return sha256Hex(session.json);
}
