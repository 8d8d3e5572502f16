/**
 * Embedded wallets, as your server relays them. What has to be signed for is called twice: the first answer has
 * `payloadToSign`, and the second call carries the owner's signature.
 */
import { list } from "./calls.ts";
import type { ReadOptions, RequestOptions, Send } from "./transport.ts";
import type {
  AuthMethod,
  AuthSession,
  ChallengedAuthMethod,
  CredentialProof,
  NewCredential,
  OwnerSignature,
  SignedOptions,
  SignedRetryChallenge,
  WalletExport,
  WalletQuery,
} from "./wallet-types.ts";

const CREDENTIALS = ["auth", "credentials"];
const SESSIONS = ["auth", "sessions"];

export function credentialCalls(send: Send) {
  return {
    create: (
      body: NewCredential,
      { signature, ...options }: RequestOptions & SignedOptions = {},
    ): Promise<AuthMethod | SignedRetryChallenge> =>
      send({ method: "POST", path: CREDENTIALS, body, headers: headersOf(signature) }, options),
    list: (query: WalletQuery, options?: ReadOptions) =>
      list<AuthMethod>(send, { path: CREDENTIALS, query, options }),
    challenge: (
      id: string,
      body: { readonly clientPublicKey?: string } = {},
      options?: RequestOptions,
    ): Promise<ChallengedAuthMethod> =>
      send({ method: "POST", path: [...CREDENTIALS, id, "challenge"], body }, options),
    /** A passkey's proof goes with the `requestId` of its challenge. */
    verify: (
      id: string,
      body: CredentialProof,
      { requestId, ...options }: RequestOptions & { readonly requestId?: string } = {},
    ): Promise<AuthSession> => {
      const headers = requestId === undefined ? undefined : { "request-id": requestId };
      return send({ method: "POST", path: [...CREDENTIALS, id, "verify"], body, headers }, options);
    },
    /** Undefined once it is revoked. */
    revoke: (
      id: string,
      { signature, ...options }: ReadOptions & SignedOptions = {},
    ): Promise<SignedRetryChallenge | undefined> =>
      send(
        { method: "DELETE", path: [...CREDENTIALS, id], headers: headersOf(signature) },
        options,
      ),
  };
}

export function sessionCalls(send: Send) {
  return {
    list: (query: WalletQuery, options?: ReadOptions) =>
      list<AuthSession>(send, { path: SESSIONS, query, options }),
    refresh: (
      id: string,
      body: { readonly clientPublicKey: string },
      { signature, ...options }: RequestOptions & SignedOptions = {},
    ): Promise<AuthSession | SignedRetryChallenge> => {
      const path = [...SESSIONS, id, "refresh"];
      return send({ method: "POST", path, body, headers: headersOf(signature) }, options);
    },
    /** Undefined once it is ended. */
    revoke: (
      id: string,
      { signature, ...options }: ReadOptions & SignedOptions = {},
    ): Promise<SignedRetryChallenge | undefined> =>
      send({ method: "DELETE", path: [...SESSIONS, id], headers: headersOf(signature) }, options),
  };
}

export function walletCalls(send: Send) {
  return {
    export: (
      accountId: string,
      body: { readonly clientPublicKey: string },
      { signature, ...options }: RequestOptions & SignedOptions = {},
    ): Promise<WalletExport | SignedRetryChallenge> => {
      const path = ["internal-accounts", accountId, "export"];
      return send({ method: "POST", path, body, headers: headersOf(signature) }, options);
    },
    issuerKey: (options?: ReadOptions): Promise<{ readonly publicKey: string }> =>
      send({ method: "GET", path: ["wallet", "issuer-key"] }, options),
  };
}

function headersOf(signature: OwnerSignature | undefined) {
  if (signature === undefined) return undefined;
  return { "request-id": signature.requestId, "service-wallet-signature": signature.stamp };
}
