import Type from "typebox";
import { findPlatform } from "../../../domain/platforms/platform.sql.ts";
import { endpointStatuses, findEndpoint } from "../../../domain/webhooks/endpoint.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  defaultEndpointJson,
  endpointJson,
  WebhookEndpointSchema,
  webhookEndpointExample,
} from "../../../wire/platform/webhook-endpoint.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const getWebhookEndpoint = defineOperation({
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/webhook-endpoints/{endpointId}",
  access: "VIEW",
  tag: "Webhooks",
  summary: "Read a webhook endpoint",
  params: Type.Object({ endpointId: pathId("WebhookEndpoint") }),
  answers: {
    200: {
      description: "The endpoint, without its secret.",
      schema: WebhookEndpointSchema,
      example: webhookEndpointExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("WebhookEndpoint", params.endpointId, "REFERENCE_NOT_FOUND");
    const body = await jsonOf(reads, principal.platformId, id);
    if (body === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body };
  },
});

async function jsonOf(reads: Reads, platformId: string, id: string): Promise<string | undefined> {
  const status = (await endpointStatuses(reads, platformId)).get(id);
  if (id !== platformId) {
    const endpoint = await findEndpoint(reads, platformId, id);
    return endpoint && endpointJson(endpoint, { status });
  }
  const platform = await findPlatform(reads, platformId);
  const url = platform?.webhookEndpoint ?? null;
  return platform === undefined || url === null
    ? undefined
    : defaultEndpointJson(platform, { url, status });
}
