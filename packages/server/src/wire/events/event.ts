/** Events as the API lists them: what their bytes say, their place in the sequence, and the object that they are about. */
import Type from "typebox";
import type { DeliverySummary } from "../../domain/events/delivery-log/delivery-list.sql.ts";
import type { Delivery } from "../../domain/events/delivery-log/delivery-state.sql.ts";
import type { StoredEvent } from "../../engine/command-log.ts";
import { DateTimeSchema } from "../fields.ts";
import { eventExample } from "./event-contents.ts";
import {
  DeliverySummarySchema,
  deliveryExample,
  deliveryJson,
  summaryExample,
  summaryJson,
  WebhookDeliverySchema,
} from "./webhook-delivery.ts";

const listedMembers = {
  id: Type.String({ description: "`Webhook:<uuid>`, as in the event's bytes." }),
  sequence: Type.Integer({
    minimum: 1,
    description: "Its number among the platform's events: they are numbered without gaps.",
  }),
  type: Type.String({ description: "One of the event types." }),
  timestamp: DateTimeSchema,
  resourceId: Type.String({
    description:
      "The object that the event is about. That of an invitation stands here alone, since invitations are read by their code; " +
      "that of `TEST` is the platform's.",
  }),
  data: Type.Object({}, { description: "As in the event's bytes." }),
};

export const EventSchema = Type.Object(
  { ...listedMembers, deliverySummary: DeliverySummarySchema },
  { $id: "Event" },
);

export const EventDetailSchema = Type.Object(
  {
    ...listedMembers,
    body: Type.String({ description: "The exact text that is delivered." }),
    deliveries: Type.Array(WebhookDeliverySchema, { description: "One for each endpoint." }),
  },
  { $id: "EventDetail" },
);

/** The event without its deliveries, which change. */
export function plainEventJson(event: StoredEvent): string {
  return `{${membersOf(event)}}`;
}

export function eventRowJson(event: StoredEvent, summary: DeliverySummary | undefined): string {
  return `{${membersOf(event)},"deliverySummary":${summaryJson(summary)}}`;
}

export function eventDetailJson(
  event: StoredEvent,
  {
    platformId,
    deliveries,
  }: { readonly platformId: string; readonly deliveries: readonly Delivery[] },
): string {
  const told = deliveries.map((delivery) => deliveryJson(platformId, delivery));
  return `{${membersOf(event)},"body":${JSON.stringify(event.body)},"deliveries":[${told.join(",")}]}`;
}

const DATA = '"data":';

/** The body is `{"id":…,"type":…,"timestamp":…,"data":…}`; no text of callers is before `data`, so the first match is the member. */
function membersOf({ seq, subject, body }: StoredEvent): string {
  const place = body.indexOf(DATA);
  return `${body.slice(1, place)}"sequence":${seq},"resourceId":"${subject}",${body.slice(place, -1)}`;
}

const { id, type, timestamp, data } = eventExample("OUTGOING_PAYMENT.COMPLETED") as Readonly<
  Record<string, unknown>
>;

const members = {
  id,
  type,
  timestamp,
  sequence: 42,
  resourceId: (data as { readonly id: string }).id,
  data,
};

export const listedEventExample = { ...members, deliverySummary: summaryExample };

export const eventDetailExample = {
  ...members,
  deliveries: [deliveryExample],
  body: JSON.stringify({ id, type, timestamp, data }),
};
