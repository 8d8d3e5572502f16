import Type from "typebox";
import { challengeCredential as command } from "../../../domain/wallets/credentials/challenge-credential.ts";
import { findCredential } from "../../../domain/wallets/wallet.sql.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  authMethodExample,
  ChallengedAuthMethodSchema,
  challengedJson,
  clientPublicKeyExample,
  clientPublicKeyField,
} from "../../../wire/wallets/wallet.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { newCodeFor } from "./new-code.ts";

export const challengeCredential = defineOperation({
  id: "challengeCredential",
  method: "POST",
  path: "/auth/credentials/{id}/challenge",
  access: "TRANSACT",
  capability: "payments.create",
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
      example: authMethodExample,
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
      command,
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
