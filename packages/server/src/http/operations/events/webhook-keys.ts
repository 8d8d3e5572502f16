import { rotateWebhookKey as rotateWebhookKeyCommand } from "../../../domain/events/rotate-webhook-key.ts";
import { generateWebhookKeyPair } from "../../../domain/events/signature.ts";
import { settledWebhookKeys } from "../../../domain/events/webhook-keys.ts";
import { findPlatform } from "../../../domain/platform.sql.ts";
import { webhookKeyIdentity } from "../../../domain/platform.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  rotatedWebhookKeyExample,
  WebhookKeySchema,
  webhookKeyJson,
} from "../../../wire/events/webhook-key.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { DEFAULT_OVERLAP_HOURS, overlapBody } from "./endpoint-key.ts";

const getWebhookPublicKey = defineOperation({
  id: "getWebhookPublicKey",
  ...route("GET /webhooks/public-key", "VIEW", "webhooks.read"),
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

const rotateWebhookKey = defineOperation({
  id: "rotateWebhookKey",
  ...route("POST /webhooks/public-key/rotate", "MANAGE", "webhooks.rotate"),
  tag: "Webhooks",
  summary: "Rotate the webhook key",
  description:
    "During the overlap `X-Service-Signature` is still the old key's, and `X-Service-Signature-Next` the new one's; at its end the " +
    "new key takes over. From the first rotation on, `X-Service-Key-Id` names the key of `X-Service-Signature`. Refused with 409 " +
    "while the last rotation is under way; `details.until` says when it ends.",
  body: overlapBody,
  bodyOptional: true,
  requestExample: { overlapHours: 48 },
  answers: {
    200: {
      description: "The key with the `next` one; the new key alone when there is no overlap.",
      schema: WebhookKeySchema,
      example: rotatedWebhookKeyExample,
    },
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, idempotency }, { engine, sealer }: Services) {
    const { publicKeyPem, privateKeyPkcs8 } = generateWebhookKeyPair();
    return submitForCaller(engine, principal, {
      command: rotateWebhookKeyCommand,
      input: {
        publicKey: publicKeyPem,
        privateKeySealed: sealer.seal(privateKeyPkcs8, webhookKeyIdentity(principal.platformId)),
        overlapHours: body?.overlapHours ?? DEFAULT_OVERLAP_HOURS,
      },
      toAnswer: (platform) => ({ status: 200, body: webhookKeyJson(platform) }),
      idempotency,
    });
  },
});

export const webhookKeyOperations = [getWebhookPublicKey, rotateWebhookKey];
