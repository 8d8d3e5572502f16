import Type from "typebox";
import { findPlatform } from "../../../domain/platforms/platform.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const getWebhookPublicKey = defineOperation({
  id: "getWebhookPublicKey",
  method: "GET",
  path: "/webhooks/public-key",
  access: "VIEW",
  tag: "Webhooks",
  summary: "Get the webhook public key",
  description:
    "Deliveries to the default endpoint are verified with this key. " +
    '`X-Service-Signature` of a delivery is `{"v":"1","s":"<base64>"}`: an ECDSA P-256 SHA-256 signature (DER) over the ' +
    "exact bytes of the body.",
  answers: {
    200: {
      description: "The public key as SPKI PEM.",
      schema: Type.Object({ publicKey: Type.String() }),
      example: { publicKey: "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n" },
    },
  },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const platform = await findPlatform(reads, principal.platformId);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: JSON.stringify({ publicKey: platform.webhookPublicKey }) };
  },
});
