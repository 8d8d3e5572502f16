/**
 * Embedded wallets, as your server relays them. An operation that needs a signature takes two calls: the first answer contains
 * `payloadToSign`, and the second call carries the owner's signature of it.
 */
import type { ChallengeCredentialBody, ExportWalletBody, RefreshSessionBody } from "./api-types.ts";
import type { CredentialProof, NewCredential, WalletQuery } from "./names.ts";
import type { Send } from "./operations.ts";
import { list } from "./pages.ts";
import type { ReadOptions, RequestOptions } from "./transport.ts";

/** Headers of the second call: the `requestId` of the first answer and the stamp over its `payloadToSign`. */
export interface OwnerSignature {
  readonly requestId: string;
  readonly stamp: string;
}

export interface SignedOptions {
  /** Set on the second call only. */
  readonly signature?: OwnerSignature;
}

const CREDENTIALS = ["auth", "credentials"] as const;
const SESSIONS = ["auth", "sessions"] as const;

export function credentialCalls(send: Send) {
  return {
    create: (
      body: NewCredential,
      { signature, ...options }: RequestOptions & SignedOptions = {},
    ) => {
      const headers = headersOf(signature);
      return send<"createCredential">(
        { method: "POST", path: CREDENTIALS, body, headers },
        options,
      );
    },
    list: (query: WalletQuery, options?: ReadOptions) =>
      list<"listCredentials">(send, { method: "GET", path: CREDENTIALS, query }, options),
    challenge: (id: string, body: ChallengeCredentialBody = {}, options?: RequestOptions) =>
      send<"challengeCredential">(
        { method: "POST", path: [...CREDENTIALS, id, "challenge"], body },
        options,
      ),
    /** For a passkey, `requestId` is the one from the answer with its challenge. */
    verify: (
      id: string,
      body: CredentialProof,
      { requestId, ...options }: RequestOptions & { readonly requestId?: string } = {},
    ) => {
      const headers = requestId === undefined ? undefined : { "request-id": requestId };
      return send<"verifyCredential">(
        { method: "POST", path: [...CREDENTIALS, id, "verify"], body, headers },
        options,
      );
    },
    /** Returns undefined when the signed call has revoked the credential. */
    revoke: (id: string, { signature, ...options }: ReadOptions & SignedOptions = {}) => {
      const headers = headersOf(signature);
      return send<"revokeCredential">(
        { method: "DELETE", path: [...CREDENTIALS, id], headers },
        options,
      );
    },
  };
}

export function sessionCalls(send: Send) {
  return {
    list: (query: WalletQuery, options?: ReadOptions) =>
      list<"listSessions">(send, { method: "GET", path: SESSIONS, query }, options),
    refresh: (
      id: string,
      body: RefreshSessionBody,
      { signature, ...options }: RequestOptions & SignedOptions = {},
    ) => {
      const headers = headersOf(signature);
      return send<"refreshSession">(
        { method: "POST", path: [...SESSIONS, id, "refresh"], body, headers },
        options,
      );
    },
    /** Returns undefined when the signed call has ended the session. */
    revoke: (id: string, { signature, ...options }: ReadOptions & SignedOptions = {}) => {
      const headers = headersOf(signature);
      return send<"revokeSession">({ method: "DELETE", path: [...SESSIONS, id], headers }, options);
    },
  };
}

export function walletCalls(send: Send) {
  return {
    export: (
      accountId: string,
      body: ExportWalletBody,
      { signature, ...options }: RequestOptions & SignedOptions = {},
    ) => {
      const headers = headersOf(signature);
      return send<"exportWallet">(
        { method: "POST", path: ["internal-accounts", accountId, "export"], body, headers },
        options,
      );
    },
    issuerKey: (options?: ReadOptions) =>
      send<"getIssuerKey">({ method: "GET", path: ["wallet", "issuer-key"] }, options),
  };
}

function headersOf(signature: OwnerSignature | undefined) {
  if (signature === undefined) return undefined;
  return { "request-id": signature.requestId, "service-wallet-signature": signature.stamp };
}
