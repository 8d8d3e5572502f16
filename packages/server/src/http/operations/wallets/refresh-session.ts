import Type from "typebox";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { refreshSession as command } from "../../../domain/wallets/refresh-session.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
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
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { judgeClientKey, newSessionKey, requireClientKey } from "./session-key.ts";

export const refreshSession = defineOperation({
  id: "refreshSession",
  method: "POST",
  path: "/auth/sessions/{id}/refresh",
  access: "TRANSACT",
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
      command,
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
