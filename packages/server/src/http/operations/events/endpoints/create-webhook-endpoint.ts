import Type from "typebox";
import { createWebhookEndpoint as command } from "../../../../domain/events/create-webhook-endpoint.ts";
import { endpointSignatures } from "../../../../domain/events/webhook-endpoint.ts";
import {
  CreatedWebhookEndpointSchema,
  endpointJson,
  webhookEndpointExample,
} from "../../../../wire/events/webhook-endpoint.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import {
  endpointDescriptionField,
  endpointEventsField,
  endpointUrlField,
  judgeEndpoint,
} from "./endpoint-fields.ts";
import { newEndpointKey } from "./endpoint-key.ts";

export const createWebhookEndpoint = defineOperation({
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/webhook-endpoints",
  access: "MANAGE",
  capability: "webhooks.write",
  opensPersonalData: true,
  tag: "Webhooks",
  summary: "Create a webhook endpoint",
  description:
    "Beside the one of the configuration, up to 15. Each has its own position, retries and key: one that hangs delays no other. " +
    "It gets the events from now on, or from `fromSequence`. With `STANDARD_WEBHOOKS` deliveries carry `webhook-id`, " +
    "`webhook-timestamp` and `webhook-signature` instead of `X-Service-Signature`; the secret is in this answer and never " +
    "again. An endpoint that is added is never asked whether to take a payment, and gets no TEST of another one.",
  body: Type.Object({
    url: endpointUrlField,
    description: Type.Optional(endpointDescriptionField),
    events: Type.Optional(endpointEventsField),
    signature: Type.Optional(
      Type.Enum([...endpointSignatures], { description: "P256 when absent." }),
    ),
    fromSequence: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  requestExample: {
    url: "https://platform.example/ledger-events",
    events: ["OUTGOING_PAYMENT.*"],
  },
  answers: {
    201: {
      description: "The endpoint, with its secret if it has one.",
      schema: CreatedWebhookEndpointSchema,
      example: { ...webhookEndpointExample, state: "ACTIVE", outage: undefined, stats: undefined },
    },
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  judge: judgeEndpoint,
  async handle({ principal, body, idempotency }, { engine, sealer }: Services) {
    const { url, description, events = [], signature = "P256", fromSequence } = body;
    const { key, secret } = newEndpointKey(sealer, principal.platformId, signature);
    return submitForCaller(engine, principal, {
      command,
      input: {
        url,
        description,
        events,
        fromSequence: fromSequence === undefined ? undefined : BigInt(fromSequence),
        key,
      },
      toAnswer: (endpoint) => ({ status: 201, body: endpointJson(endpoint, { secret }) }),
      idempotency,
      secret: true,
    });
  },
});
