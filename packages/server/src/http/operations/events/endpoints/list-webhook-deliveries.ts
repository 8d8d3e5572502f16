import Type, { type Static } from "typebox";
import { storedEndpoint } from "../../../../domain/events/delivery-id.ts";
import {
  type DeliveryPosition,
  type DeliveryQuery,
  listDeliveries as list,
  statusClasses,
} from "../../../../domain/events/delivery-log/delivery-list.sql.ts";
import { deliveryStates } from "../../../../domain/events/delivery-log/delivery-state.sql.ts";
import {
  deliveryExample,
  deliveryJson,
  WebhookDeliverySchema,
} from "../../../../wire/events/webhook-delivery.ts";
import { dateTimeParameter, listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { momentsOf } from "../../../request/filters.ts";
import { answerPage } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { eventTypesParameter, resourceIdParameter, typesOf } from "../list-events.ts";

export const deliveryFilters = {
  endpointId: Type.Optional(
    idField("WebhookEndpoint", { description: "Deliveries to this endpoint." }),
  ),
  eventId: Type.Optional(idField("Webhook", { description: "Deliveries of this event." })),
  eventType: eventTypesParameter,
  resourceId: resourceIdParameter,
  state: Type.Optional(Type.Enum([...deliveryStates])),
  statusClass: Type.Optional(
    Type.Enum([...statusClasses], {
      description:
        "Of the last answer; `none` where there was none. What was delivered is `2xx`, and what was not attempted is in no class.",
    }),
  ),
  since: dateTimeParameter("Of events of this time or later."),
  until: dateTimeParameter("Of events of this time or earlier."),
};

const Filters = Type.Object(deliveryFilters);

export const listWebhookDeliveries = defineOperation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries",
  access: "VIEW",
  capability: "deliveries.read",
  tag: "Webhooks",
  summary: "List webhook deliveries",
  description:
    "A delivery is an event that an endpoint gets. Attempts appear about a second after they ended. A page looks at a thousand " +
    "events at most, so it may hold few deliveries, or none, and still have a next one.",
  query: Type.Object({ ...deliveryFilters, ...pageParameters }),
  answers: {
    200: {
      description: "By the sequence of the event, the latest first.",
      schema: listOf(WebhookDeliverySchema),
      example: { data: [deliveryExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listWebhookDeliveries",
      principal,
      query,
      async load({ platformId, after, limit }) {
        const wish = deliveryQueryOf(query, platformId);
        const page = await list(services.reads, {
          ...wish,
          limit,
          after: after === undefined ? undefined : deliveryPositionIn(after),
        });
        const end = page.next && deliveryPositionText(page.next);
        return { rows: page.rows, hasMore: end !== undefined, end };
      },
      positionOf: deliveryPositionText,
      toJson: (delivery) => deliveryJson(principal.platformId, delivery),
    }),
});

export function deliveryQueryOf(
  query: Static<typeof Filters>,
  platformId: string,
): Omit<DeliveryQuery, "after" | "limit"> {
  const endpointId = queryId("WebhookEndpoint", query.endpointId);
  return {
    platformId,
    endpointId: endpointId && storedEndpoint(platformId, endpointId),
    eventId: queryId("Webhook", query.eventId),
    types: typesOf("eventType", query.eventType),
    subject: query.resourceId,
    state: query.state,
    statusClass: query.statusClass,
    ...momentsOf(query),
  };
}

export function deliveryPositionText({ eventSeq, endpointId }: DeliveryPosition): string {
  return `${eventSeq} ${endpointId}`;
}

export function deliveryPositionIn(text: string): DeliveryPosition {
  const [eventSeq = "0", endpointId = ""] = text.split(" ");
  return { eventSeq: BigInt(eventSeq), endpointId };
}
