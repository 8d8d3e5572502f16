/**
 * The payload to sign, and its verification. The payload comes from the service through your server; the intent comes from the
 * page. Every statement of the payload is derived again from the intent and compared, and an unexpected member is refused, so
 * that your server cannot have another operation signed.
 */
import { fromBase64url, fromUtf8 } from "./bytes.ts";
import { WalletError } from "./errors.ts";
import { bodyDigestOf, canonicalJson, sha256Hex } from "./json.ts";
import { asObject, parseJson } from "./outside-json.ts";

/** The request body that adds a credential, exactly as it is sent. */
export type CredentialToAdd =
  | { readonly type: "EMAIL_OTP"; readonly accountId: string; readonly email: string }
  | { readonly type: "OAUTH"; readonly accountId: string; readonly oidcToken: string }
  | {
      readonly type: "PASSKEY";
      readonly accountId: string;
      readonly nickname: string;
      readonly challenge: string;
      readonly attestation: { readonly credentialId: string } & Readonly<Record<string, unknown>>;
    };

/** The payment that the owner agreed to, as the quote states it. */
export interface QuoteToExecute {
  readonly quoteId: string;
  readonly sendingCurrency: string;
  /** The total with fees, in the smallest unit. */
  readonly totalSendingAmount: number | bigint;
  readonly receivingCurrency: string;
  readonly totalReceivingAmount: number | bigint;
  /** The quote's `destination`, unchanged. */
  readonly destination: Readonly<Record<string, unknown>>;
  readonly expiresAt: string;
  /** The body of the call that created the quote; not compared when absent. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The intended operation. Ids are those of the API, or the uuid alone. */
export type SigningIntent =
  | { readonly operation: "ADD_CREDENTIAL"; readonly credential: CredentialToAdd }
  | {
      readonly operation: "REVOKE_CREDENTIAL";
      readonly credentialId: string;
      readonly credentialType: "EMAIL_OTP" | "OAUTH" | "PASSKEY";
    }
  | { readonly operation: "REVOKE_SESSION"; readonly sessionId: string }
  | {
      readonly operation: "REFRESH_SESSION";
      readonly sessionId: string;
      /** The public key that the new session is sealed to. */
      readonly clientPublicKey: string;
    }
  | {
      readonly operation: "EXPORT_WALLET";
      /** The public key that the mnemonic is sealed to. */
      readonly clientPublicKey: string;
    }
  | { readonly operation: "EXECUTE_QUOTE"; readonly quote: QuoteToExecute };

export type WalletOperation = SigningIntent["operation"];

/** The intent, and the wallet: the uuid of its internal account. */
export type ExpectedPayload = SigningIntent & {
  readonly organizationId: string;
  /** The platform's id; not compared when absent. */
  readonly platformId?: string;
  readonly environment?: "SANDBOX" | "PRODUCTION";
};

/** The content of a `payloadToSign`. */
export interface PayloadToSign {
  readonly type: string;
  /** The wallet: the uuid of its internal account. */
  readonly organizationId: string;
  readonly timestampMs: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The text inside a `payloadToSign`, to display or to verify. The signature covers the whole `payloadToSign`. */
export function readPayload(payloadToSign: string): PayloadToSign {
  const bytes = fromBase64url(payloadToSign);
  const text = bytes && fromUtf8(bytes);
  const { type, organizationId, timestampMs, parameters } = asObject(parseJson(text ?? "")) ?? {};
  const members = asObject(parameters);
  if (
    typeof type !== "string" ||
    typeof organizationId !== "string" ||
    typeof timestampMs !== "string" ||
    members === undefined
  ) {
    throw new WalletError("malformed", "this is not a payload to sign");
  }
  return { type, organizationId, timestampMs, parameters: members };
}

/** Throws unless the payload matches the intent. `requestId` is the one of the same answer. */
export async function assertPayload(
  payloadToSign: string,
  expected: ExpectedPayload,
  requestId?: string,
): Promise<void> {
  const { type, organizationId, parameters } = readPayload(payloadToSign);
  const intent = await intentOf(expected);
  const { organizationId: wallet, platformId, environment } = expected;
  const wanted: Readonly<Record<string, Wanted>> = {
    operation: exactly("operation", expected.operation),
    version: exactly("version", "1"),
    accountId: exactly("wallet", wallet),
    userId: exactly("wallet", wallet),
    target: exactly("target", intent.target),
    bodySha256: intent.body === undefined ? anyText("body") : exactly("body", intent.body),
    requestId: requestId === undefined ? anyText("request") : exactly("request", requestId),
    platformId:
      platformId === undefined ? anyText("platform") : exactly("platform", uuidOf(platformId)),
    environment:
      environment === undefined ? anyText("environment") : exactly("environment", environment),
    expiresAt: anyText("end"),
    ...intent.parameters,
  };
  if (type !== intent.type) throw otherThan("kind of activity");
  if (organizationId !== wallet) throw otherThan("wallet");
  for (const [name, { what, fits }] of Object.entries(wanted)) {
    if (!fits(parameters[name])) throw otherThan(what);
  }
  if (Object.keys(parameters).some((name) => !Object.hasOwn(wanted, name))) {
    throw otherThan("set of members");
  }
}

function otherThan(what: string): WalletError {
  return new WalletError("other-operation", `the payload to sign is for another ${what}`);
}

interface Wanted {
  readonly what: string;
  fits(given: unknown): boolean;
}

function exactly(what: string, value: unknown): Wanted {
  return {
    what,
    fits: (given) => given !== undefined && canonicalJson(given) === canonicalJson(value),
  };
}

function anyText(what: string): Wanted {
  return { what, fits: (given) => typeof given === "string" };
}

interface Intent {
  readonly type: string;
  readonly target: string;
  /** The digest of the request's body; undefined where it is not known. */
  readonly body: string | undefined;
  readonly parameters: Readonly<Record<string, Wanted>>;
}

async function intentOf(expected: ExpectedPayload): Promise<Intent> {
  switch (expected.operation) {
    case "ADD_CREDENTIAL":
      return additionOf(expected.credential, expected.organizationId);
    case "REVOKE_CREDENTIAL":
      return removalOf(uuidOf(expected.credentialId), expected.credentialType);
    case "REVOKE_SESSION": {
      const target = uuidOf(expected.sessionId);
      const parameters = { apiKeyIds: exactly("session", [target]) };
      const body = await bodyDigestOf(undefined);
      return { type: "ACTIVITY_TYPE_DELETE_API_KEYS", target, body, parameters };
    }
    case "REFRESH_SESSION": {
      const { clientPublicKey } = expected;
      return {
        type: "ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2",
        target: uuidOf(expected.sessionId),
        body: await bodyDigestOf({ clientPublicKey }),
        parameters: { targetPublicKey: exactly("client key", clientPublicKey) },
      };
    }
    case "EXPORT_WALLET": {
      const { clientPublicKey, organizationId } = expected;
      return {
        type: "ACTIVITY_TYPE_EXPORT_WALLET",
        target: organizationId,
        body: await bodyDigestOf({ clientPublicKey }),
        parameters: {
          targetPublicKey: exactly("client key", clientPublicKey),
          walletId: exactly("wallet", organizationId),
        },
      };
    }
    case "EXECUTE_QUOTE":
      return paymentOf(expected.quote, expected.organizationId);
  }
}

async function additionOf(credential: CredentialToAdd, wallet: string): Promise<Intent> {
  const body = await bodyDigestOf(credential);
  switch (credential.type) {
    case "EMAIL_OTP":
      return {
        type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
        target: wallet,
        body,
        parameters: { userEmail: exactly("email", credential.email) },
      };
    case "OAUTH":
      return {
        type: "ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS",
        target: wallet,
        body,
        parameters: {
          oidcTokenSha256: exactly("ID token", await sha256Hex(credential.oidcToken)),
          providerName: anyText("provider"),
        },
      };
    case "PASSKEY":
      return {
        type: "ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2",
        target: wallet,
        body,
        parameters: {
          authenticatorName: exactly("nickname", credential.nickname.trim()),
          challenge: exactly("challenge", credential.challenge),
          // The API accepts padded base64url; the payload has it without padding.
          credentialId: exactly(
            "passkey",
            credential.attestation.credentialId.replace(/(?<!=)=+$/, ""),
          ),
        },
      };
  }
}

async function removalOf(target: string, type: "EMAIL_OTP" | "OAUTH" | "PASSKEY"): Promise<Intent> {
  const body = await bodyDigestOf(undefined);
  switch (type) {
    case "EMAIL_OTP": {
      const parameters = { userEmail: exactly("email", "") };
      return { type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL", target, body, parameters };
    }
    case "OAUTH": {
      const parameters = { providerIds: exactly("credential", [target]) };
      return { type: "ACTIVITY_TYPE_DELETE_OAUTH_PROVIDERS", target, body, parameters };
    }
    case "PASSKEY": {
      const parameters = { authenticatorIds: exactly("credential", [target]) };
      return { type: "ACTIVITY_TYPE_DELETE_AUTHENTICATORS", target, body, parameters };
    }
  }
}

async function paymentOf(quote: QuoteToExecute, wallet: string): Promise<Intent> {
  const target = uuidOf(quote.quoteId);
  return {
    type: "ACTIVITY_TYPE_SIGN_TRANSACTION_V2",
    target,
    body: quote.body === undefined ? undefined : await bodyDigestOf(quote.body),
    parameters: {
      requestId: exactly("request", target),
      expiresAt: exactly("end", String(Date.parse(quote.expiresAt))),
      signWith: exactly("wallet", wallet),
      quoteId: exactly("quote", target),
      sendingCurrency: exactly("sending currency", quote.sendingCurrency),
      totalSendingAmount: exactly("sending amount", String(quote.totalSendingAmount)),
      receivingCurrency: exactly("receiving currency", quote.receivingCurrency),
      totalReceivingAmount: exactly("receiving amount", String(quote.totalReceivingAmount)),
      destination: exactly("destination", quote.destination),
    },
  };
}

/** `Kind:uuid` or the uuid itself. */
export function uuidOf(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}
