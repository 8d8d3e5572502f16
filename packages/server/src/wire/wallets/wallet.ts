/** JSON of credentials, sessions and payloads to sign. */
import Type from "typebox";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import {
  type Credential,
  credentialTypes,
  toCredentialId,
} from "../../domain/wallets/credentials/credential.ts";
import type { PasskeyChallenge } from "../../domain/wallets/credentials/passkey-challenge.ts";
import { type Session, toSessionId } from "../../domain/wallets/session.ts";
import { toRequestId } from "../../domain/wallets/signed-request.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema } from "../fields.ts";

const CredentialTypeSchema = Type.Enum([...credentialTypes]);

const credentialFields = {
  id: Type.String({ description: "`AuthMethod:<uuid>`" }),
  accountId: Type.String({ description: "The embedded wallet that it opens." }),
  type: CredentialTypeSchema,
  nickname: Type.String({
    description: "EMAIL_OTP: the address. OAUTH: the token's email. PASSKEY: as given.",
  }),
  createdAt: DateTimeSchema,
  updatedAt: DateTimeSchema,
};

export const AuthMethodSchema = Type.Object(credentialFields, { $id: "AuthMethod" });

/** All but the credential itself comes with a passkey alone. */
export const ChallengedAuthMethodSchema = Type.Object(
  {
    ...credentialFields,
    credentialId: Type.Optional(
      Type.String({
        description:
          "PASSKEY: the id of the WebAuthn credential (base64url), for `allowCredentials`.",
      }),
    ),
    challenge: Type.Optional(
      Type.String({ ...sensitive, description: "PASSKEY: the WebAuthn challenge, as UTF-8 text." }),
    ),
    requestId: Type.Optional(
      Type.String({ description: "PASSKEY: to be sent in `Request-Id` with the assertion." }),
    ),
    expiresAt: Type.Optional(DateTimeSchema),
  },
  { $id: "ChallengedAuthMethod" },
);

export const SignedRetryChallengeSchema = Type.Object(
  {
    payloadToSign: Type.String({
      ...sensitive,
      description: "To be signed as it is, character by character.",
    }),
    requestId: Type.String({ description: "To be sent in `Request-Id` on the second call." }),
    expiresAt: DateTimeSchema,
    type: Type.Optional(CredentialTypeSchema),
  },
  { $id: "SignedRetryChallenge" },
);

const sessionFields = {
  id: Type.String({ description: "`Session:<uuid>`" }),
  accountId: Type.String(),
  type: CredentialTypeSchema,
  nickname: Type.String({ description: "Of the credential that issued it." }),
  createdAt: DateTimeSchema,
  updatedAt: DateTimeSchema,
  expiresAt: DateTimeSchema,
};

export const AuthSessionSchema = Type.Object(
  {
    ...sessionFields,
    encryptedSessionSigningKey: Type.Optional(
      Type.String({
        ...sensitive,
        description:
          "The session's private key, sealed to the client; only in the answer that issues it. A stub in a sandbox.",
      }),
    ),
  },
  { $id: "AuthSession" },
);

export function credentialJson(credential: Credential): string {
  return JSON.stringify(credentialFacts(credential));
}

function credentialFacts({ id, accountId, type, nickname, createdAt, updatedAt }: Credential) {
  return {
    id: toCredentialId(id),
    accountId: toInternalAccountId(accountId),
    type,
    nickname,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  };
}

export function challengedJson(
  credential: Credential,
  challenge: PasskeyChallenge | undefined,
): string {
  if (challenge === undefined) return credentialJson(credential);
  return JSON.stringify({
    ...credentialFacts(credential),
    credentialId: credential.passkeyId ?? undefined,
    challenge: challenge.challenge,
    requestId: toRequestId(challenge.id),
    expiresAt: toIso(challenge.expiresAt),
  });
}

export function sessionJson(session: Session, encryptedSessionSigningKey?: string): string {
  return JSON.stringify({
    id: toSessionId(session.id),
    accountId: toInternalAccountId(session.accountId),
    type: session.type,
    nickname: session.nickname,
    createdAt: toIso(session.createdAt),
    updatedAt: toIso(session.updatedAt),
    expiresAt: toIso(session.expiresAt),
    ...(encryptedSessionSigningKey === undefined ? {} : { encryptedSessionSigningKey }),
  });
}

/** A client's public key in a request; its operation checks that it is a point on the curve. */
export const clientPublicKeyField = Type.String({
  ...sensitive,
  pattern: "^04[0-9a-fA-F]{128}$",
  description: "P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export.",
});

export const authMethodExample = {
  id: "AuthMethod:019a4f00-0000-7000-8000-000000000007",
  accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
  type: "EMAIL_OTP",
  nickname: "ana@example.com",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const signedRetryExample = {
  payloadToSign: "eyJvcmdhbml6YXRpb25JZCI6IjAxOWE0ZjAwIn0",
  requestId: "Request:019a4f00-0000-7000-8000-000000000009",
  expiresAt: "2026-11-21T10:05:00.000Z",
};

export const authSessionExample = {
  id: "Session:019a4f00-0000-7000-8000-000000000008",
  accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
  type: "EMAIL_OTP",
  nickname: "ana@example.com",
  createdAt: "2026-11-21T10:01:00.000Z",
  updatedAt: "2026-11-21T10:01:00.000Z",
  expiresAt: "2026-11-21T10:16:00.000Z",
};

/** A point of the curve. */
export const clientPublicKeyExample =
  "04dd3ebd70d8485112aab5ec51b077d03c993f690bdc39b6229eb68b2031300af7" +
  "85703527d78abf5f5e33b00ed6b33d31dd6e891a56604c858703f80345278219";
