import Type from "typebox";
import { rotateEndpointKey as command } from "../../../../domain/events/rotate-endpoint-key.ts";
import { endpointSignatures } from "../../../../domain/events/webhook-endpoint.ts";
import {
  CreatedWebhookEndpointSchema,
  endpointJson,
  webhookEndpointExample,
} from "../../../../wire/events/webhook-endpoint.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { requireExtraEndpoint } from "./endpoint-fields.ts";
import { DEFAULT_OVERLAP_HOURS, newEndpointKey, overlapBody } from "./endpoint-key.ts";

export const rotateEndpointKey = defineOperation({
  id: "rotateWebhookEndpointKey",
  method: "POST",
  path: "/webhook-endpoints/{endpointId}/rotate-key",
  access: "MANAGE",
  capability: "webhooks.rotate",
  tag: "Webhooks",
  summary: "Rotate the key of a webhook endpoint",
  description:
    "During the overlap `X-Service-Signature` is still the old key's, and `X-Service-Signature-Next` the new one's; at its end the " +
    "new key takes over. With `STANDARD_WEBHOOKS` the one header has both signatures. That of the default endpoint is " +
    "rotated by `POST /webhooks/public-key/rotate`.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  body: overlapBody,
  bodyOptional: true,
  requestExample: { overlapHours: 48 },
  answers: {
    200: {
      description: "The endpoint with its `next` key, and the new secret if it has one.",
      schema: CreatedWebhookEndpointSchema,
      example: {
        ...webhookEndpointExample,
        next: {
          publicKey: "-----BEGIN PUBLIC KEY-----\nMFkw…\n-----END PUBLIC KEY-----\n",
          keyId: "a07e3d5c9b1f2468",
          from: "2026-11-23T09:00:00.000Z",
        },
      },
    },
  },
  refusals: ["INVALID_INPUT", "WEBHOOK_ENDPOINT_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine, sealer }: Services) {
    const endpointId = requireExtraEndpoint(params.endpointId, principal);
    const made = endpointSignatures.map((signature) =>
      newEndpointKey(sealer, principal.platformId, signature),
    );
    const secretOf = (signature: string) =>
      made.find(({ key }) => key.signature === signature)?.secret;
    return submitForCaller(engine, principal, {
      command,
      input: {
        endpointId,
        keys: made.map(({ key }) => key),
        overlapHours: body?.overlapHours ?? DEFAULT_OVERLAP_HOURS,
      },
      toAnswer: (endpoint) => ({
        status: 200,
        body: endpointJson(endpoint, { secret: secretOf(endpoint.signature) }),
      }),
      idempotency,
      secret: true,
    });
  },
});
