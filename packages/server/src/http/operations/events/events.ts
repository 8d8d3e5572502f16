import Type, { type Static } from "typebox";
import { deliverySummaries } from "../../../domain/events/delivery-log/delivery-list.sql.ts";
import type { SignedEvent } from "../../../domain/events/event-feed.port.ts";
import {
  type EventQuery,
  findEvent,
  lastEventSeq,
  listEvents as loadEvents,
} from "../../../domain/events/event-list.sql.ts";
import { SIGNATURE_HEADER } from "../../../domain/events/signature.ts";
import { eventTypesOf } from "../../../domain/events/webhook-endpoint.ts";
import type { StoredEvent } from "../../../engine/command-log.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { uuidPattern } from "../../../std/ids.ts";
import { formedText } from "../../../validation/schema.ts";
import {
  EventDetailSchema,
  EventSchema,
  eventDetailExample,
  eventDetailJson,
  eventRowJson,
  listedEventExample,
} from "../../../wire/events/event.ts";
import { eventExample } from "../../../wire/events/event-contents.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { momentsOf } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { uncountedPageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { eventStreamAnswer, LAST_EVENT_ID } from "../../request/server-sent-events.ts";
import type { Services } from "../../request/services.ts";
import { findDeliveries } from "./delivery-fields.ts";
import { positionAsked, sequenceParameter } from "./stream-position.ts";

export const eventTypesParameter = Type.Optional(
  Type.Array(
    Type.String({
      maxLength: 64,
      description: "An event type, or the beginning of several: `OUTGOING_PAYMENT.*`.",
      examples: ["OUTGOING_PAYMENT.*"],
    }),
    { maxItems: 50 },
  ),
);

export const resourceIdParameter = Type.Optional(
  formedText(`^[A-Z][A-Za-z]{0,31}:${uuidPattern}$`, "must be the id of an object", {
    description: "The object that the event is about.",
    examples: ["Transaction:019a4f00-0000-7000-8000-000000000002"],
  }),
);

export const eventFilters = {
  type: eventTypesParameter,
  resourceId: resourceIdParameter,
  after: sequenceParameter("Events with a higher `sequence`."),
  before: sequenceParameter("Events with a lower `sequence`."),
  since: dateTimeParameter("Events of this time or later."),
  until: dateTimeParameter("Events of this time or earlier."),
};

const Filters = Type.Object(eventFilters);

const Query = Type.Object({
  ...eventFilters,
  sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
  ...pageParameters,
});

const listEvents = defineOperation({
  id: "listEvents",
  ...route("GET /events", "VIEW", "events.read"),
  tag: "Events",
  summary: "List events",
  query: Query,
  answers: {
    200: uncountedPageOf(
      { schema: EventSchema, example: listedEventExample },
      "By `sequence`, the latest first unless `sortOrder` says otherwise. A page that is filtered by a frequent type, or by an object and " +
        "a type, is searched in 20,000 events: it may hold fewer rows than `limit`, or none, while `hasMore` is true.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listEvents",
      principal,
      query,
      async load({ platformId, after, limit }) {
        const { reads } = services;
        const wish = { ...eventQueryOf(query), ...boundsOf(query, after) };
        const { rows, ...more } = await loadEvents(reads, { platformId, limit, ...wish });
        const sequences = rows.map(({ seq }) => seq);
        const summaries = await deliverySummaries(reads.cells, platformId, sequences);
        return {
          rows: rows.map((event) => ({ event, summary: summaries.get(event.seq) })),
          ...more,
        };
      },
      positionOf: ({ event }) => String(event.seq),
      toJson: ({ event, summary }) => eventRowJson(event, summary),
    }),
});

/** The filters without the bounds of the sequence. Refuses a type that no event has. */
export function eventQueryOf({ type, resourceId, ...moments }: Static<typeof Filters>) {
  return { types: typesOf("type", type), subject: resourceId, ...momentsOf(moments) };
}

/** The types that a parameter names; none when it is absent. */
export function typesOf(parameter: string, wanted: readonly string[] = []): readonly string[] {
  const found = wanted.map(eventTypesOf);
  if (found.some((types) => types.length === 0)) {
    throw invalidField(
      parameter,
      "must be event types, or beginnings of some like OUTGOING_PAYMENT.*",
    );
  }
  return [...new Set(found.flat())];
}

/** The cursor replaces one bound of the sequence: the upper one in descending order, the lower one in ascending order. */
function boundsOf(
  { after, before, sortOrder }: Static<typeof Query>,
  cursor: string | undefined,
): Pick<EventQuery, "after" | "before" | "order"> {
  const order = sortOrder ?? "desc";
  const lower = after === undefined ? undefined : BigInt(after);
  const upper = before === undefined ? undefined : BigInt(before);
  if (cursor === undefined) return { order, after: lower, before: upper };
  const place = BigInt(cursor);
  return order === "desc"
    ? { order, after: lower, before: place }
    : { order, after: place, before: upper };
}

const shown = eventExample("OUTGOING_PAYMENT.COMPLETED");

const streamEvents = defineOperation({
  id: "streamEvents",
  ...route("GET /events/stream", "VIEW", "events.read"),
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

/** The body is one line, because JSON escapes line ends. */
function toFrame({ seq, type, body, signature }: SignedEvent): string {
  return `: sig ${signature}\nid: ${seq}\nevent: ${type}\ndata: ${body}\n\n`;
}

export const eventInPath = Type.Object({ eventId: pathId("Webhook") });

const getEvent = defineOperation({
  id: "getEvent",
  ...route("GET /events/{eventId}", "VIEW", "events.read"),
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

const getEventRaw = defineOperation({
  id: "getEventRaw",
  ...route("GET /events/{eventId}/raw", "VIEW", "events.read"),
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

export const eventOperations = [listEvents, streamEvents, getEvent, getEventRaw];
