import Type, { type Static } from "typebox";
import { findPlatform } from "../../../domain/platform.sql.ts";
import { challengeCredential as challengeCredentialCommand } from "../../../domain/wallets/credentials/challenge-credential.ts";
import type { NewCode } from "../../../domain/wallets/credentials/one-time-code.port.ts";
import { registerCredential } from "../../../domain/wallets/credentials/register-credential.ts";
import { revokeCredential as revokeCredentialCommand } from "../../../domain/wallets/credentials/revoke-credential.ts";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import {
  findCredential,
  findWallet,
  listCredentials as loadCredentials,
} from "../../../domain/wallets/wallet.sql.ts";
import { sensitive, taggedUnion } from "../../../validation/schema.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { requireId, soundId } from "../../../wire/ids.ts";
import {
  AuthSessionSchema,
  authSessionExample,
  ChallengedAuthMethodSchema,
  challengedJson,
  clientPublicKeyExample,
  clientPublicKeyField,
  SignedRetryChallengeSchema,
  signedRetryExample,
  wireAuthMethod,
} from "../../../wire/wallets/wallet.ts";
import {
  readOwnerProof,
  signedIdempotency,
  signedRetryHeaders,
  toSignedAnswer,
} from "../../auth/owner-proof.ts";
import { pageOf, shown } from "../../request/noun.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type Principal,
  route,
} from "../../request/operation.ts";
import { toListBody } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller, submitFound } from "../../request/submit-for-caller.ts";
import {
  CredentialBody,
  judgeRegistration,
  oidcTokenField,
  registrationFaults,
} from "./credential-body.ts";
import { proofFaults, verifyByCode, verifyByPasskey, verifyByToken } from "./verify-by-type.ts";

/** A code to be mailed; undefined in a sandbox, where every code is the same, and without mail. */
async function newCodeFor(
  { reads, wallets }: Services,
  { platformId, environment }: Principal,
): Promise<NewCode | undefined> {
  if (environment === "SANDBOX" || !wallets.mailer.canSend) return undefined;
  const platform = await findPlatform(reads, platformId);
  return wallets.codes.issue(platformId, platform?.embeddedWalletConfig ?? null);
}

const createCredential = defineOperation({
  id: "createCredential",
  ...route("POST /auth/credentials", "MANAGE"),
  isBodySigned: true,
  capability: "customers.write",
  closedToPeople: true,
  tag: "Wallet credentials",
  summary: "Create a credential",
  description:
    "Adds a way to sign in to an embedded wallet. " +
    "The first credential of an account is made at once. Every other one is signed for by a session of the account: the " +
    "first call answers 202 with what to sign, and the same call with both headers makes it. An account has at most one " +
    "EMAIL_OTP and one PASSKEY. An ID token, and the challenge of a passkey, make one credential and no second. In a " +
    "sandbox no mail is sent and the code is 000000; of an ID token only its structure and issuer are looked at.",
  headers: signedRetryHeaders,
  body: CredentialBody,
  requestExample: {
    type: "EMAIL_OTP",
    accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
    email: "ana@example.com",
  },
  answers: {
    201: shown(wireAuthMethod, "The credential."),
    202: {
      description: "The account has a credential: what one of its sessions has to sign.",
      schema: SignedRetryChallengeSchema,
      example: { ...signedRetryExample, type: "EMAIL_OTP" },
    },
  },
  refusals: [
    "INVALID_INPUT",
    "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS",
    "PASSKEY_CREDENTIAL_ALREADY_EXISTS",
    "CONFLICT",
    "UNAUTHORIZED",
    "REFERENCE_NOT_FOUND",
    "NOT_IMPLEMENTED",
  ],
  judge: (body, surroundings: JudgeSurroundings<Services, Principal>) => ({
    ...judgementOf([]),
    furtherFaults: () => registrationFaults(body, surroundings),
  }),
  async handle({ principal, body, headers, idempotency }, services: Services) {
    const { platformId } = principal;
    const accountId = soundId("InternalAccount", body.accountId);
    const wallet = await findWallet(services.reads, platformId, accountId);
    const proof = await readOwnerProof(services, principal, headers);
    const isSigned = proof.kind !== "none";
    const isSecondCall = wallet?.hasCredentials === true && isSigned;
    return submitFound(services.engine, principal, {
      command: registerCredential,
      find: async () => ({
        accountId,
        type: body.type,
        judged:
          wallet === undefined || isSecondCall
            ? { kind: "unjudged" }
            : await judgeRegistration(body, { services, principal, wallet }),
        bodySha256: bodyDigestOf(body),
        proof,
        code: body.type === "EMAIL_OTP" ? await newCodeFor(services, principal) : undefined,
      }),
      toAnswer: (signed) =>
        toSignedAnswer(signed, (credential) => ({
          status: 201,
          body: wireAuthMethod.json(credential),
        })),
      // Depends on the sent values only: the current state of the account must not hide a stored answer.
      idempotency: isSigned ? signedIdempotency(idempotency, headers) : idempotency,
    });
  },
});

const listCredentials = defineOperation({
  id: "listCredentials",
  ...route("GET /auth/credentials", "VIEW", "customers.read"),
  tag: "Wallet credentials",
  summary: "List credentials",
  description:
    "The credentials of one embedded wallet. " + "All of them at once: an account has few.",
  query: Type.Object({
    accountId: idField("InternalAccount", { description: "An embedded wallet." }),
  }),
  answers: {
    200: pageOf(wireAuthMethod, "Newest first; nothing for an account that is not there."),
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads }: Services) {
    const accountId = soundId("InternalAccount", query.accountId);
    const found = await loadCredentials(reads, principal.platformId, accountId);
    const page = { hasMore: false, nextCursor: undefined, totalCount: found.length };
    return { status: 200, body: toListBody(found.map(wireAuthMethod.json), page) };
  },
});

const challengeCredential = defineOperation({
  id: "challengeCredential",
  ...route("POST /auth/credentials/{id}/challenge", "TRANSACT", "payments.create"),
  closedToPeople: true,
  tag: "Wallet credentials",
  summary: "Challenge a credential",
  description:
    "Prepares a login. " +
    "EMAIL_OTP: mails a new code, which replaces the one before; in production at most every 30 seconds and ten times an " +
    "hour. PASSKEY: answers the challenge for the assertion, bound to `clientPublicKey`. OAUTH: needs no challenge.",
  params: Type.Object({ id: pathId("AuthMethod") }),
  // Validated for a passkey only; ignored for other credentials.
  body: Type.Object({ clientPublicKey: Type.Optional(Type.Unknown()) }),
  shownBody: Type.Object({ clientPublicKey: Type.Optional(clientPublicKeyField) }),
  bodyOptional: true,
  requestExample: { clientPublicKey: clientPublicKeyExample },
  answers: {
    200: {
      description: "The credential; for a passkey with its challenge.",
      schema: ChallengedAuthMethodSchema,
      example: wireAuthMethod.example,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "RATE_LIMITED", "NOT_IMPLEMENTED"],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const { crypto } = services.wallets;
    const credentialId = requireId("AuthMethod", params.id, "REFERENCE_NOT_FOUND");
    const known = await findCredential(services.reads, platformId, credentialId);
    const sent = body?.clientPublicKey;
    return submitForCaller(services.engine, principal, {
      command: challengeCredentialCommand,
      input: {
        credentialId,
        clientPublicKey: typeof sent === "string" ? crypto.parseClientPublicKey(sent) : undefined,
        code: known?.type === "EMAIL_OTP" ? await newCodeFor(services, principal) : undefined,
      },
      toAnswer: ({ credential, challenge }) => ({
        status: 200,
        body: challengedJson(credential, challenge),
      }),
      idempotency,
    });
  },
});

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

const verifyCredential = defineOperation({
  id: "verifyCredential",
  ...route("POST /auth/credentials/{id}/verify", "TRANSACT", "payments.create"),
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

const revokeCredential = defineOperation({
  id: "revokeCredential",
  ...route("DELETE /auth/credentials/{id}", "MANAGE", "customers.write"),
  tag: "Wallet credentials",
  summary: "Revoke a credential",
  description:
    "Ends the sessions that it issued, too. Signed for by a session of another credential of the account; an account keeps " +
    "at least one credential.",
  headers: signedRetryHeaders,
  params: Type.Object({ id: pathId("AuthMethod") }),
  answers: {
    202: {
      description: "What a session of another credential has to sign.",
      schema: SignedRetryChallengeSchema,
      example: { ...signedRetryExample, type: "PASSKEY" },
    },
    204: { description: "Revoked." },
  },
  refusals: ["LAST_CREDENTIAL", "UNAUTHORIZED", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, headers }, services: Services) {
    return submitForCaller(services.engine, principal, {
      command: revokeCredentialCommand,
      input: {
        credentialId: requireId("AuthMethod", params.id, "REFERENCE_NOT_FOUND"),
        bodySha256: bodyDigestOf(undefined),
        proof: await readOwnerProof(services, principal, headers),
      },
      toAnswer: (signed) => toSignedAnswer(signed, () => ({ status: 204, body: "" })),
    });
  },
});

export const credentialOperations = [
  createCredential,
  listCredentials,
  challengeCredential,
  verifyCredential,
  revokeCredential,
];
