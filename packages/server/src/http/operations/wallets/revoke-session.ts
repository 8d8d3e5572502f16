import Type from "typebox";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { revokeSession as command } from "../../../domain/wallets/revoke-session.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { SignedRetryChallengeSchema, signedRetryExample } from "../../../wire/wallets/wallet.ts";
import { readOwnerProof, signedRetryHeaders, toSignedAnswer } from "../../auth/owner-proof.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const revokeSession = defineOperation({
  id: "revokeSession",
  method: "DELETE",
  path: "/auth/sessions/{id}",
  access: "TRANSACT",
  capability: "payments.create",
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
      command,
      input: {
        sessionId: requireId("Session", params.id, "REFERENCE_NOT_FOUND"),
        bodySha256: bodyDigestOf(undefined),
        proof: await readOwnerProof(services, principal, headers),
      },
      toAnswer: (signed) => toSignedAnswer(signed, () => ({ status: 204, body: "" })),
    });
  },
});
