import Type from "typebox";
import type { SignedEvent } from "../../../domain/events/event-feed.port.ts";
import { lastEventSeq } from "../../../domain/events/event-list.sql.ts";
import { SIGNATURE_HEADER } from "../../../domain/events/signature.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { eventExample } from "../../../wire/events/event-examples.ts";
import { defineOperation } from "../../request/operation.ts";
import { eventStreamAnswer, LAST_EVENT_ID } from "../../request/server-sent-events.ts";
import type { Services } from "../../request/services.ts";
import { positionAsked, sequenceParameter } from "./stream-position.ts";

const shown = eventExample("OUTGOING_PAYMENT.COMPLETED");

export const streamEvents = defineOperation({
  id: "streamEvents",
  method: "GET",
  path: "/events/stream",
  access: "VIEW",
  capability: "events.read",
  opensPersonalData: true,
  tag: "Events",
  summary: "Stream events",
  description:
    "A stream of server-sent events. `id` is the sequence, `event` the type, `data` the exact bytes that are delivered, and a " +
    `comment \`sig\` the value of \`${SIGNATURE_HEADER}\` for them. It goes on until the caller leaves or the server stops. ` +
    "It starts behind the event that `Last-Event-ID` or `after` names, and without either at this moment. A line is sent at " +
    "least every 20 seconds. The question whether to take an incoming payment is shown and cannot be answered here. " +
    "A platform may have 20 streams at a time; the next one is refused with 429.",
  query: Type.Object({ after: sequenceParameter("Start behind the event of this sequence.") }),
  headers: [
    {
      name: LAST_EVENT_ID,
      description: "The `id` of the last event that was received. It goes before `after`.",
      example: "42",
    },
  ],
  answers: {
    200: {
      description: "The events, in the order of their sequence.",
      contentType: "text/event-stream",
      example: `: sig {"v":"1","s":"MEUCIQ…"}\nid: 42\nevent: OUTGOING_PAYMENT.COMPLETED\ndata: ${JSON.stringify(shown)}\n\n`,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query, headers }, services: Services) {
    const last = await lastEventSeq(services.reads, platformId);
    const asked = positionAsked(headers["last-event-id"], query.after);
    if (asked !== undefined && asked.seq > last) {
      throw invalidField(asked.field, `must be the sequence of an event; the last one is ${last}`);
    }
    const after = asked?.seq ?? last;
    return eventStreamAnswer({
      open: () => services.eventFeed.open(platformId, after),
      opening: "florin events",
      toFrame,
      clock: services.clock,
    });
  },
});

/** The body is one line: JSON has no line ends but escaped ones. */
function toFrame({ seq, type, body, signature }: SignedEvent): string {
  return `: sig ${signature}\nid: ${seq}\nevent: ${type}\ndata: ${body}\n\n`;
}
