import Type from "typebox";
import { eventExample } from "../../../wire/events/event-examples.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { eventInPath, requireEvent } from "./get-event.ts";

export const getEventRaw = defineOperation({
  id: "getEventRaw",
  method: "GET",
  path: "/events/{eventId}/raw",
  access: "VIEW",
  capability: "events.read",
  tag: "Events",
  summary: "Get the raw bytes of an event",
  description: "The bytes that were signed and posted.",
  params: eventInPath,
  answers: {
    200: {
      description: "The exact bytes that are delivered: those that the signature is over.",
      schema: Type.Object({}),
      example: eventExample("OUTGOING_PAYMENT.COMPLETED"),
    },
  },
  refusals: ["EVENT_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const { body } = await requireEvent(reads, platformId, params.eventId);
    return { status: 200, body };
  },
});
