import Type from "typebox";
import { endpointStatuses, listEndpoints } from "../../../../domain/events/endpoint.sql.ts";
import { settledKeys } from "../../../../domain/events/webhook-endpoint.ts";
import { settledWebhookKeys } from "../../../../domain/events/webhook-keys.ts";
import { clockOffsetOf, findPlatform } from "../../../../domain/platform.sql.ts";
import {
  defaultEndpointJson,
  defaultEndpointState,
  type EndpointState,
  endpointJson,
  endpointState,
  endpointStates,
  WebhookEndpointSchema,
  webhookEndpointExample,
} from "../../../../wire/events/webhook-endpoint.ts";
import { listOf } from "../../../../wire/fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import { toListBody } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listWebhookEndpoints = defineOperation({
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/webhook-endpoints",
  access: "VIEW",
  capability: "webhooks.read",
  tag: "Webhooks",
  summary: "List webhook endpoints",
  description:
    "All of them at once, with the state of each: since when it is down and how many events wait. The endpoint of the " +
    "configuration is among them, as the default one.",
  query: Type.Object({
    state: Type.Optional(
      Type.Enum([...endpointStates], { description: "Only those in this state." }),
    ),
  }),
  answers: {
    200: {
      description: "The default endpoint first, then the others, newest first.",
      schema: listOf(WebhookEndpointSchema),
      example: { data: [webhookEndpointExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads, clock }: Services) {
    const { platformId } = principal;
    const platform = await findPlatform(reads, platformId);
    const at = clock.now() + (await clockOffsetOf(reads, platformId));
    const endpoints = await listEndpoints(reads, platformId);
    const statuses = await endpointStatuses(reads, { platformId, now: clock.now() });
    const url = platform?.webhookEndpoint ?? null;
    const isWanted = (state: EndpointState) => query.state === undefined || query.state === state;
    const data = endpoints
      .map((endpoint) => ({
        endpoint: settledKeys(endpoint, at),
        status: statuses.get(endpoint.id),
      }))
      .filter(({ endpoint, status }) => isWanted(endpointState(endpoint, status)))
      .map(({ endpoint, status }) => endpointJson(endpoint, { status }));
    const status = statuses.get(platformId);
    if (platform !== undefined && url !== null && isWanted(defaultEndpointState(status))) {
      data.unshift(defaultEndpointJson(settledWebhookKeys(platform, at), { url, status }));
    }
    const page = { hasMore: false, nextCursor: undefined, totalCount: data.length };
    return { status: 200, body: toListBody(data, page) };
  },
});
