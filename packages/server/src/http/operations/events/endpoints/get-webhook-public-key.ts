import { settledWebhookKeys } from "../../../../domain/events/webhook-keys.ts";
import { findPlatform } from "../../../../domain/platform.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  rotatedWebhookKeyExample,
  WebhookKeySchema,
  webhookKeyJson,
} from "../../../../wire/events/webhook-key.ts";
import { defineOperation } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";

export const getWebhookPublicKey = defineOperation({
  id: "getWebhookPublicKey",
  method: "GET",
  path: "/webhooks/public-key",
  access: "VIEW",
  capability: "webhooks.read",
  tag: "Webhooks",
  summary: "Get the webhook public key",
  description:
    "Deliveries to the default endpoint are verified with this key. " +
    '`X-Service-Signature` of a delivery is `{"v":"1","s":"<base64>"}`: an ECDSA P-256 SHA-256 signature (DER) over the ' +
    "exact bytes of the body.",
  answers: {
    200: {
      description: "The key, and the next one while a rotation is under way.",
      schema: WebhookKeySchema,
      example: rotatedWebhookKeyExample,
    },
  },
  refusals: [],
  async handle({ principal: { platformId } }, services: Services) {
    const platform = await findPlatform(services.reads, platformId);
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const at = await platformTime(services, platformId);
    return { status: 200, body: webhookKeyJson(settledWebhookKeys(platform, at)) };
  },
});
