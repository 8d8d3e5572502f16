/** JSON of credentials, sessions and payloads to sign. */
import Type from "typebox";
import { type Credential, credentialTypes } from "../../domain/wallets/credentials/credential.ts";
import type { PasskeyChallenge } from "../../domain/wallets/credentials/passkey-challenge.ts";
import type { Session } from "../../domain/wallets/session.ts";
import { toRequestId } from "../../domain/wallets/signed-request.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const CredentialTypeSchema = Type.Enum([...credentialTypes]);

export const wireAuthMethod = wireObject("AuthMethod", ({ of }: Kit<Credential>) => ({
  id: of.id("AuthMethod", { description: "`AuthMethod:<uuid>`", example: 7 }),
  accountId: of.id("InternalAccount", {
    description: "The embedded wallet that it opens.",
    example: 2,
  }),
  type: of.enum(credentialTypes, { example: "EMAIL_OTP" }),
  nickname: of.text({
    description: "EMAIL_OTP: the address. OAUTH: the token's email. PASSKEY: as given.",
    example: "ana@example.com",
  }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

/** All members beside the credential itself are present only for a passkey. */
export const ChallengedAuthMethodSchema = Type.Object(
  {
    ...wireAuthMethod.schema.properties,
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

const session = wireObject("AuthSession", ({ of, maybe }: Kit<Session, string | undefined>) => ({
  id: of.id("Session", { description: "`Session:<uuid>`", example: 8 }),
  accountId: of.id("InternalAccount", { example: 2 }),
  type: of.enum(credentialTypes, { example: "EMAIL_OTP" }),
  nickname: of.text({
    description: "Of the credential that issued it.",
    example: "ana@example.com",
  }),
  createdAt: of.time({ example: "2026-11-21T10:01:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:01:00.000Z" }),
  expiresAt: of.time({ example: "2026-11-21T10:16:00.000Z" }),
  encryptedSessionSigningKey: maybe.text({
    from: (_, key) => key,
    ...sensitive,
    description:
      "The session's private key, sealed to the client; only in the answer that issues it. A stub in a sandbox.",
  }),
}));

export const { schema: AuthSessionSchema, example: authSessionExample } = session;

export function sessionJson(row: Session, encryptedSessionSigningKey?: string): string {
  return session.json(row, encryptedSessionSigningKey);
}

export function challengedJson(
  credential: Credential,
  challenge: PasskeyChallenge | undefined,
): string {
  if (challenge === undefined) return wireAuthMethod.json(credential);
  const asked = JSON.stringify({
    credentialId: credential.passkeyId ?? undefined,
    challenge: challenge.challenge,
    requestId: toRequestId(challenge.id),
    expiresAt: toIso(challenge.expiresAt),
  });
  return `${wireAuthMethod.json(credential).slice(0, -1)},${asked.slice(1)}`;
}

/** A client's public key in a request; its operation checks that it is a point on the curve. */
export const clientPublicKeyField = Type.String({
  ...sensitive,
  pattern: "^04[0-9a-fA-F]{128}$",
  description: "P-256, uncompressed, hexadecimal. Make a fresh pair for each session and export.",
});

export const signedRetryExample = {
  payloadToSign: "eyJvcmdhbml6YXRpb25JZCI6IjAxOWE0ZjAwIn0",
  requestId: "Request:019a4f00-0000-7000-8000-000000000009",
  expiresAt: "2026-11-21T10:05:00.000Z",
};

/** A point of the curve. */
export const clientPublicKeyExample =
  "04dd3ebd70d8485112aab5ec51b077d03c993f690bdc39b6229eb68b2031300af7" +
  "85703527d78abf5f5e33b00ed6b33d31dd6e891a56604c858703f80345278219";
