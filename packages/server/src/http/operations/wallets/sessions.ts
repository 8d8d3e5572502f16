import Type from "typebox";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import {
  refreshSession as refreshSessionCommand,
  revokeSession as revokeSessionCommand,
} from "../../../domain/wallets/session-commands.ts";
import { listSessions as loadSessions } from "../../../domain/wallets/wallet.sql.ts";
import { toIso } from "../../../std/clock.ts";
import { idField, pathId } from "../../../wire/id-fields.ts";
import { requireId, soundId } from "../../../wire/ids.ts";
import {
  AuthSessionSchema,
  authSessionExample,
  clientPublicKeyExample,
  clientPublicKeyField,
  SignedRetryChallengeSchema,
  sessionJson,
  signedRetryExample,
} from "../../../wire/wallets/wallet.ts";
import {
  readOwnerProof,
  signedIdempotency,
  signedRetryHeaders,
  toSignedAnswer,
} from "../../auth/owner-proof.ts";
import { pageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { toListBody } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { judgeClientKey, newSessionKey, requireClientKey } from "./session-key.ts";

const listSessions = defineOperation({
  id: "listSessions",
  ...route("GET /auth/sessions", "VIEW", "customers.read"),
  tag: "Wallet sessions",
  summary: "List wallet sessions",
  description:
    "The active sessions of one embedded wallet. " +
    "All of them at once: an account has few. Key material is never shown again.",
  query: Type.Object({
    accountId: idField("InternalAccount", { description: "An embedded wallet." }),
  }),
  answers: {
    200: pageOf(
      { schema: AuthSessionSchema, example: authSessionExample },
      "Newest first; nothing for an account that is not there.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads, clock }: Services) {
    const accountId = soundId("InternalAccount", query.accountId);
    const of = { accountId, now: toIso(clock.now()) };
    const found = await loadSessions(reads, principal.platformId, of);
    const page = { hasMore: false, nextCursor: undefined, totalCount: found.length };
    return {
      status: 200,
      body: toListBody(
        found.map((session) => sessionJson(session)),
        page,
      ),
    };
  },
});

const refreshSession = defineOperation({
  id: "refreshSession",
  ...route("POST /auth/sessions/{id}/refresh", "TRANSACT"),
  isBodySigned: true,
  capability: "payments.create",
  closedToPeople: true,
  tag: "Wallet sessions",
  summary: "Refresh a wallet session",
  description:
    "Follows a session by a new one. " +
    "Signed for by the session itself, while it is active. The old session goes on until its own end.",
  headers: signedRetryHeaders,
  params: Type.Object({ id: pathId("Session") }),
  body: Type.Object({ clientPublicKey: clientPublicKeyField }),
  requestExample: { clientPublicKey: clientPublicKeyExample },
  answers: {
    201: {
      description: "The new session with its sealed key.",
      schema: AuthSessionSchema,
      example: authSessionExample,
    },
    202: {
      description: "What the session has to sign.",
      schema: SignedRetryChallengeSchema,
      example: signedRetryExample,
    },
  },
  refusals: ["INVALID_INPUT", "UNAUTHORIZED", "REFERENCE_NOT_FOUND"],
  judge: judgeClientKey,
  async handle({ principal, params, body, headers, idempotency }, services: Services) {
    const sessionId = requireId("Session", params.id, "REFERENCE_NOT_FOUND");
    const clientPublicKey = requireClientKey(services, body.clientPublicKey);
    const proof = await readOwnerProof(services, principal, headers);
    const key = await newSessionKey(services, principal, clientPublicKey);
    return submitForCaller(services.engine, principal, {
      command: refreshSessionCommand,
      input: {
        sessionId,
        clientPublicKey,
        bodySha256: bodyDigestOf(body),
        proof,
        publicKey: key.publicKey,
      },
      toAnswer: (signed) =>
        toSignedAnswer(signed, (session) => ({
          status: 201,
          body: sessionJson(session, key.encryptedSessionSigningKey),
        })),
      idempotency: proof.kind === "none" ? undefined : signedIdempotency(idempotency, headers),
      secret: true,
    });
  },
});

const revokeSession = defineOperation({
  id: "revokeSession",
  ...route("DELETE /auth/sessions/{id}", "TRANSACT", "payments.create"),
  tag: "Wallet sessions",
  summary: "Revoke a wallet session",
  description: "Signed for by any active session of the account, the one that ends too.",
  headers: signedRetryHeaders,
  params: Type.Object({ id: pathId("Session") }),
  answers: {
    202: {
      description: "What a session of the account has to sign.",
      schema: SignedRetryChallengeSchema,
      example: { ...signedRetryExample, type: "EMAIL_OTP" },
    },
    204: { description: "Ended." },
  },
  refusals: ["UNAUTHORIZED", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, headers }, services: Services) {
    return submitForCaller(services.engine, principal, {
      command: revokeSessionCommand,
      input: {
        sessionId: requireId("Session", params.id, "REFERENCE_NOT_FOUND"),
        bodySha256: bodyDigestOf(undefined),
        proof: await readOwnerProof(services, principal, headers),
      },
      toAnswer: (signed) => toSignedAnswer(signed, () => ({ status: 204, body: "" })),
    });
  },
});

export const sessionOperations = [listSessions, refreshSession, revokeSession];
