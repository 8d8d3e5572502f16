import Type from "typebox";
import { endpointStatuses, findEndpoint } from "../../../../domain/events/endpoint.sql.ts";
import { settledKeys } from "../../../../domain/events/webhook-endpoint.ts";
import { settledWebhookKeys } from "../../../../domain/events/webhook-keys.ts";
import { clockOffsetOf, findPlatform } from "../../../../domain/platform.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  defaultEndpointJson,
  endpointJson,
  WebhookEndpointSchema,
  webhookEndpointExample,
} from "../../../../wire/events/webhook-endpoint.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getWebhookEndpoint = defineOperation({
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/webhook-endpoints/{endpointId}",
  access: "VIEW",
  capability: "webhooks.read",
  tag: "Webhooks",
  summary: "Get a webhook endpoint",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: {
    200: {
      description: "The endpoint, without its secret.",
      schema: WebhookEndpointSchema,
      example: webhookEndpointExample,
    },
  },
  refusals: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const id = requireId("WebhookEndpoint", params.endpointId, "WEBHOOK_ENDPOINT_NOT_FOUND");
    const body = await jsonOf(services, principal.platformId, id);
    if (body === undefined) throw new Refusal("WEBHOOK_ENDPOINT_NOT_FOUND");
    return { status: 200, body };
  },
});

async function jsonOf(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
  id: string,
): Promise<string | undefined> {
  const now = clock.now();
  const status = (await endpointStatuses(reads, { platformId, now })).get(id);
  const at = now + (await clockOffsetOf(reads, platformId));
  if (id !== platformId) {
    const endpoint = await findEndpoint(reads, platformId, id);
    return endpoint && endpointJson(settledKeys(endpoint, at), { status });
  }
  const platform = await findPlatform(reads, platformId);
  const url = platform?.webhookEndpoint ?? null;
  return platform === undefined || url === null
    ? undefined
    : defaultEndpointJson(settledWebhookKeys(platform, at), { url, status });
}
