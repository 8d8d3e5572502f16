import Type, { type Static } from "typebox";
import { fromDeliveryId, storedEndpoint } from "../../../domain/events/delivery-id.ts";
import { listAttempts } from "../../../domain/events/delivery-log/attempt.sql.ts";
import {
  type DeliveryPosition,
  type DeliveryQuery,
  listDeliveries,
  listedStates,
  statusClasses,
} from "../../../domain/events/delivery-log/delivery-list.sql.ts";
import { findEvent } from "../../../domain/events/event-list.sql.ts";
import { resendEvent } from "../../../domain/events/resends/resend-event.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  ResentDeliveriesSchema,
  resentDeliveriesExample,
  resentDeliveriesJson,
} from "../../../wire/events/event-resend.ts";
import {
  attemptExample,
  attemptJson,
  DeliveryAttemptSchema,
  deliveryExample,
  deliveryJson,
  WebhookDeliverySchema,
} from "../../../wire/events/webhook-delivery.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { idField } from "../../../wire/id-fields.ts";
import { queryId, requireId } from "../../../wire/ids.ts";
import { momentsOf } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { uncountedPageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitFound } from "../../request/submit-for-caller.ts";
import { firstFound, textParameter } from "../../search/found-conditions.ts";
import { type Seeker, seekerOf } from "../../search/seeker.ts";
import { deliveryInPath, requireDelivery } from "./delivery-fields.ts";
import { eventTypesParameter, resourceIdParameter, typesOf } from "./events.ts";
import { resentDeliveries } from "./resent-deliveries.ts";

export const deliveryFilters = {
  endpointId: Type.Optional(
    idField("WebhookEndpoint", { description: "Deliveries to this endpoint." }),
  ),
  eventId: Type.Optional(idField("Webhook", { description: "Deliveries of this event." })),
  eventType: eventTypesParameter,
  resourceId: resourceIdParameter,
  state: Type.Optional(
    Type.Enum([...listedStates], {
      description: "`NOT_ARRIVED`: those that failed, and those that wait after a failure.",
    }),
  ),
  statusClass: Type.Optional(
    Type.Enum([...statusClasses], {
      description:
        "Of the last answer; `none` where there was none. What was delivered is `2xx`, and what was not attempted is in no class.",
    }),
  ),
  q: textParameter("Deliveries about the first object that `GET /search` finds by this text."),
  since: dateTimeParameter("Of events of this time or later."),
  until: dateTimeParameter("Of events of this time or earlier."),
};

const Filters = Type.Object(deliveryFilters);

const listWebhookDeliveries = defineOperation({
  id: "listWebhookDeliveries",
  ...route("GET /webhook-deliveries", "VIEW", "deliveries.read"),
  tag: "Webhooks",
  summary: "List webhook deliveries",
  description:
    "A delivery is an event that an endpoint gets. Attempts appear about a second after they ended. A page looks at a thousand " +
    "events at most, so it may hold few deliveries, or none, and still have a next one.",
  query: Type.Object({ ...deliveryFilters, ...pageParameters }),
  answers: {
    200: uncountedPageOf(
      { schema: WebhookDeliverySchema, example: deliveryExample },
      "By the sequence of the event, the latest first.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listWebhookDeliveries",
      principal,
      query,
      async load({ after, limit }) {
        const wish = await deliveryQueryOf(seekerOf(services.reads, principal), query);
        const page = await listDeliveries(services.reads, {
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

export async function deliveryQueryOf(
  seeker: Seeker,
  query: Static<typeof Filters>,
): Promise<Omit<DeliveryQuery, "after" | "limit">> {
  const { platformId } = seeker;
  const endpointId = queryId("WebhookEndpoint", query.endpointId);
  return {
    platformId,
    endpointId: endpointId && storedEndpoint(platformId, endpointId),
    eventId: queryId("Webhook", query.eventId),
    types: typesOf("eventType", query.eventType),
    subject: query.q === undefined ? query.resourceId : await firstFound(seeker, query.q),
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

const getWebhookDelivery = defineOperation({
  id: "getWebhookDelivery",
  ...route("GET /webhook-deliveries/{deliveryId}", "VIEW", "deliveries.read"),
  tag: "Webhooks",
  summary: "Get a webhook delivery",
  params: deliveryInPath,
  answers: {
    200: {
      description: "The delivery as it stands.",
      schema: WebhookDeliverySchema,
      example: deliveryExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const delivery = await requireDelivery(reads, platformId, params.deliveryId);
    return { status: 200, body: deliveryJson(platformId, delivery) };
  },
});

const listDeliveryAttempts = defineOperation({
  id: "listDeliveryAttempts",
  ...route("GET /webhook-deliveries/{deliveryId}/attempts", "VIEW", "deliveries.read"),
  tag: "Webhooks",
  summary: "List the attempts of a webhook delivery",
  description: "`attemptsComplete` of the delivery tells whether the log has each of them.",
  params: deliveryInPath,
  query: Type.Object(pageParameters),
  answers: {
    200: uncountedPageOf(
      { schema: DeliveryAttemptSchema, example: attemptExample },
      "The latest first.",
    ),
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { reads } = services;
    const { platformId } = principal;
    const delivery = await requireDelivery(reads, platformId, params.deliveryId);
    return answerPage(services, {
      operationId: `listDeliveryAttempts ${params.deliveryId}`,
      principal,
      query,
      load: ({ after, limit }) => listAttempts(reads, { platformId, ...delivery, after, limit }),
      positionOf: ({ id }) => id,
      toJson: attemptJson,
    });
  },
});

const retryDelivery = defineOperation({
  id: "retryWebhookDelivery",
  ...route("POST /webhook-deliveries/{deliveryId}/retry", "MANAGE", "deliveries.resend"),
  opensPersonalData: true,
  tag: "Webhooks",
  summary: "Retry a webhook delivery",
  description:
    "An attempt with `X-Redelivery: true`: of a delivery that waits for its next attempt at once, of one that was given up or was " +
    "delivered one more. A delivery that waits behind an earlier event of its resource follows that one, which is due now.",
  params: Type.Object({
    deliveryId: Type.String({
      description: "`WebhookDelivery:<uuid>.<uuid>`",
      examples: resentDeliveriesExample.deliveries.map(({ id }) => id),
    }),
  }),
  answers: {
    202: {
      description: "The delivery.",
      schema: ResentDeliveriesSchema,
      example: resentDeliveriesExample,
    },
  },
  refusals: [
    "REFERENCE_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_SET",
    "CONFLICT",
  ],
  async handle({ principal, params, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const named = fromDeliveryId(platformId, params.deliveryId);
    // An id of another kind is refused with that kind.
    if (named === undefined) requireId("WebhookDelivery", params.deliveryId, "REFERENCE_NOT_FOUND");
    const event = named && (await findEvent(reads, platformId, named.eventId));
    if (event === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return submitFound(engine, principal, {
      command: resendEvent,
      find: async () => ({
        eventSeq: event.seq,
        deliveries: await resentDeliveries(reads, platformId, {
          event,
          endpointId: named?.endpointId,
        }),
      }),
      toAnswer: (deliveries) => ({
        status: 202,
        body: resentDeliveriesJson(platformId, event, deliveries),
      }),
      idempotency,
    });
  },
});

export const deliveryOperations = [
  listWebhookDeliveries,
  getWebhookDelivery,
  listDeliveryAttempts,
  retryDelivery,
];
