import Type, { type Static } from "typebox";
import { findCredential } from "../../../domain/wallets/wallet.sql.ts";
import { sensitive, taggedUnion } from "../../../validation/schema.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  AuthSessionSchema,
  authSessionExample,
  clientPublicKeyExample,
  clientPublicKeyField,
} from "../../../wire/wallets/wallet.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type Principal,
} from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { oidcTokenField } from "./credential-body.ts";
import { proofFaults, verifyByCode, verifyByPasskey, verifyByToken } from "./verify-by-type.ts";

const part = (maxLength: number) => Type.String({ ...sensitive, maxLength });

export const CodeProof = Type.Object({
  type: Type.Literal("EMAIL_OTP"),
  otp: Type.String({ ...sensitive, minLength: 1, maxLength: 64 }),
  clientPublicKey: clientPublicKeyField,
});

export const TokenProof = Type.Object({
  type: Type.Literal("OAUTH"),
  oidcToken: oidcTokenField,
  clientPublicKey: clientPublicKeyField,
});

export const PasskeyProof = Type.Object({
  type: Type.Literal("PASSKEY"),
  assertion: Type.Object({
    credentialId: part(1_400),
    clientDataJson: part(8_192),
    authenticatorData: part(8_192),
    signature: part(8_192),
    userHandle: Type.Optional(Type.Union([part(1_024), Type.Null()], sensitive)),
  }),
});

export type CodeProof = Static<typeof CodeProof>;
export type TokenProof = Static<typeof TokenProof>;
export type PasskeyProof = Static<typeof PasskeyProof>;

export const verifyCredential = defineOperation({
  id: "verifyCredential",
  method: "POST",
  path: "/auth/credentials/{id}/verify",
  access: "TRANSACT",
  capability: "payments.create",
  closedToPeople: true,
  tag: "Wallet credentials",
  summary: "Verify a credential",
  description:
    "Proves a credential and opens a session. " +
    "The session's private key is sealed to `clientPublicKey`, or for a passkey to the key that its challenge binds. It is " +
    "in this answer and never again; the session lasts 15 minutes. A code can be guessed five times; an ID token is at most " +
    "60 seconds old and was used for nothing before, not even to register. In a sandbox: code `000000`, token `sandbox-valid-oidc-token`, signature " +
    "`sandbox-valid-passkey-signature`, and a key that opens nothing.",
  headers: [
    {
      name: "Request-Id",
      description: "PASSKEY: the `requestId` of its challenge.",
      example: "Request:019a4f00-0000-7000-8000-000000000009",
    },
  ],
  params: Type.Object({ id: pathId("AuthMethod") }),
  body: taggedUnion("type", [CodeProof, TokenProof, PasskeyProof]),
  requestExample: { type: "EMAIL_OTP", otp: "000000", clientPublicKey: clientPublicKeyExample },
  answers: {
    200: {
      description: "The session.",
      schema: AuthSessionSchema,
      example: {
        ...authSessionExample,
        encryptedSessionSigningKey: "w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZXmrau…",
      },
    },
  },
  refusals: ["INVALID_INPUT", "UNAUTHORIZED", "REFERENCE_NOT_FOUND"],
  judge: (body, surroundings: JudgeSurroundings<Services, Principal>) => ({
    ...judgementOf([]),
    furtherFaults: () => proofFaults(body, surroundings),
  }),
  async handle({ principal, params, body, headers, idempotency }, services: Services) {
    const id = requireId("AuthMethod", params.id, "REFERENCE_NOT_FOUND");
    const credential = await findCredential(services.reads, principal.platformId, id);
    const login = { services, principal, credentialId: id, credential, idempotency };
    switch (body.type) {
      case "EMAIL_OTP":
        return verifyByCode(login, body);
      case "OAUTH":
        return verifyByToken(login, body);
      case "PASSKEY":
        return verifyByPasskey(login, body, headers["request-id"]);
    }
  },
});
