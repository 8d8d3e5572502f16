import { registerCredential as command } from "../../../domain/wallets/credentials/register-credential.ts";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { findWallet } from "../../../domain/wallets/wallet.sql.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { soundId } from "../../../wire/ids.ts";
import {
  AuthMethodSchema,
  authMethodExample,
  credentialJson,
  SignedRetryChallengeSchema,
  signedRetryExample,
} from "../../../wire/wallets/wallet.ts";
import {
  readOwnerProof,
  signedIdempotency,
  signedRetryHeaders,
  toSignedAnswer,
} from "../../auth/owner-proof.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type Principal,
} from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitFound } from "../../request/submit-found.ts";
import { CredentialBody, judgeRegistration, registrationFaults } from "./credential-body.ts";
import { newCodeFor } from "./new-code.ts";

export const createCredential = defineOperation({
  id: "createCredential",
  method: "POST",
  path: "/auth/credentials",
  access: "MANAGE",
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
    201: { description: "The credential.", schema: AuthMethodSchema, example: authMethodExample },
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
      command,
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
          body: credentialJson(credential),
        })),
      // Depends on the sent values only: the current state of the account must not hide a stored answer.
      idempotency: isSigned ? signedIdempotency(idempotency, headers) : idempotency,
    });
  },
});
