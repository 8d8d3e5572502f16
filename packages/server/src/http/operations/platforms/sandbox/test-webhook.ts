import Type from "typebox";
import { Refusal } from "../../../../engine/refusal.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const testWebhook = defineOperation({
  id: "testWebhook",
  method: "POST",
  path: "/sandbox/webhooks/test",
  access: "MANAGE",
  capability: "webhooks.write",
  sandboxOnly: true,
  ignoresKey: true,
  tag: "Sandbox",
  summary: "Test the webhook endpoint",
  description:
    "The answer comes when the endpoint has answered. A TEST event is not sent again, but each call sends one: an " +
    "`Idempotency-Key` means nothing here.",
  answers: {
    200: {
      description: "What the endpoint answered.",
      schema: Type.Object({
        url: Type.Optional(Type.String()),
        response_status: Type.Integer(),
        response_body: Type.Optional(Type.String()),
      }),
      example: {
        url: "https://platform.example/webhooks",
        response_status: 200,
        response_body: "ok",
      },
    },
  },
  refusals: ["WEBHOOK_ENDPOINT_NOT_SET", "WEBHOOK_DELIVERY_ERROR", "FORBIDDEN"],
  async handle({ principal }, services: Services) {
    const outcome = await services.testWebhook(principal.platformId);
    switch (outcome.kind) {
      case "no-endpoint":
        throw new Refusal("WEBHOOK_ENDPOINT_NOT_SET");
      case "failed":
        throw new Refusal("WEBHOOK_DELIVERY_ERROR", { reason: outcome.reason }, outcome.reason);
      case "answered": {
        const { url, status, body } = outcome;
        return {
          status: 200,
          body: JSON.stringify({ url, response_status: status, response_body: body }),
        };
      }
    }
  },
});
