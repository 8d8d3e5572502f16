import Type from "typebox";
import { revokeCredential as command } from "../../../domain/wallets/credentials/revoke-credential.ts";
import { bodyDigestOf } from "../../../domain/wallets/payload-to-sign.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { SignedRetryChallengeSchema, signedRetryExample } from "../../../wire/wallets/wallet.ts";
import { readOwnerProof, signedRetryHeaders, toSignedAnswer } from "../../auth/owner-proof.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

export const revokeCredential = defineOperation({
  id: "revokeCredential",
  method: "DELETE",
  path: "/auth/credentials/{id}",
  access: "MANAGE",
  capability: "customers.write",
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
      command,
      input: {
        credentialId: requireId("AuthMethod", params.id, "REFERENCE_NOT_FOUND"),
        bodySha256: bodyDigestOf(undefined),
        proof: await readOwnerProof(services, principal, headers),
      },
      toAnswer: (signed) => toSignedAnswer(signed, () => ({ status: 204, body: "" })),
    });
  },
});
