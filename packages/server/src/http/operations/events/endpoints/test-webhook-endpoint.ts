import Type from "typebox";
import { findEndpoint } from "../../../../domain/events/endpoint.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const testWebhookEndpoint = defineOperation({
  id: "testWebhookEndpoint",
  method: "POST",
  path: "/webhook-endpoints/{endpointId}/test",
  access: "MANAGE",
  capability: "webhooks.write",
  ignoresKey: true,
  tag: "Webhooks",
  summary: "Test a webhook endpoint",
  description:
    "The answer comes when the endpoint has answered. Each call sends an event: an `Idempotency-Key` means nothing here. An " +
    "endpoint that is down and answers is tried with its events at once.",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: {
    200: {
      description: "What the endpoint answered.",
      schema: Type.Object({
        url: Type.String(),
        responseStatus: Type.Integer(),
        responseBody: Type.String({ description: "The first kilobyte." }),
        latencyMs: Type.Integer({
          minimum: 0,
          description: "From the connection to the end of the answer.",
        }),
      }),
      example: {
        url: "https://platform.example/ledger-events",
        responseStatus: 200,
        responseBody: "ok",
        latencyMs: 42,
      },
    },
  },
  refusals: ["WEBHOOK_ENDPOINT_NOT_FOUND", "WEBHOOK_ENDPOINT_NOT_SET", "WEBHOOK_DELIVERY_ERROR"],
  async handle({ principal, params }, { reads, testWebhook }: Services) {
    const { platformId } = principal;
    const id = requireId("WebhookEndpoint", params.endpointId, "WEBHOOK_ENDPOINT_NOT_FOUND");
    const isDefault = id === platformId;
    if (!isDefault && (await findEndpoint(reads, platformId, id)) === undefined) {
      throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
    }
    const outcome = await testWebhook(platformId, isDefault ? undefined : id);
    switch (outcome.kind) {
      case "no-endpoint":
        throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET", {}, "The endpoint is not set, or disabled.");
      case "failed":
        throw new Refusal("WEBHOOK_DELIVERY_ERROR", { reason: outcome.reason });
      case "answered": {
        const { url, status, body, latencyMs } = outcome;
        const answer = { url, responseStatus: status, responseBody: body, latencyMs };
        return { status: 200, body: JSON.stringify(answer) };
      }
    }
  },
});
