import Type from "typebox";
import { findEvent } from "../../../domain/events/event-list.sql.ts";
import type { StoredEvent } from "../../../engine/command-log.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import {
  EventDetailSchema,
  eventDetailExample,
  eventDetailJson,
} from "../../../wire/events/event.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { findDeliveries } from "./endpoints/delivery-fields.ts";

export const eventInPath = Type.Object({ eventId: pathId("Webhook") });

export const getEvent = defineOperation({
  id: "getEvent",
  method: "GET",
  path: "/events/{eventId}",
  access: "VIEW",
  capability: "events.read",
  tag: "Events",
  summary: "Get an event",
  params: eventInPath,
  answers: {
    200: {
      description: "The event, with the exact text that is delivered, and its deliveries.",
      schema: EventDetailSchema,
      example: eventDetailExample,
    },
  },
  refusals: ["EVENT_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const event = await requireEvent(reads, platformId, params.eventId);
    const deliveries = await findDeliveries(reads, { platformId, eventId: event.id });
    const body = eventDetailJson(event, { platformId, deliveries });
    return { status: 200, body };
  },
});

export async function requireEvent(
  reads: Reads,
  platformId: string,
  eventId: string,
): Promise<StoredEvent> {
  const id = requireId("Webhook", eventId, "EVENT_NOT_FOUND");
  const event = await findEvent(reads, platformId, id);
  if (event === undefined) throw new Refusal("EVENT_NOT_FOUND");
  return event;
}
