import Type, { type Static } from "typebox";
import { deliverySummaries } from "../../../domain/events/delivery-log/delivery-list.sql.ts";
import { type EventQuery, listEvents as list } from "../../../domain/events/event-list.sql.ts";
import { eventTypesOf } from "../../../domain/events/webhook-endpoint.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { uuidPattern } from "../../../std/ids.ts";
import { formedText } from "../../../validation/schema.ts";
import { EventSchema, eventRowJson, listedEventExample } from "../../../wire/events/event.ts";
import { dateTimeParameter, listOf } from "../../../wire/fields.ts";
import { momentsOf } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { sequenceParameter } from "./stream-position.ts";

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

export const listEvents = defineOperation({
  id: "listEvents",
  method: "GET",
  path: "/events",
  access: "VIEW",
  capability: "events.read",
  tag: "Events",
  summary: "List events",
  query: Query,
  answers: {
    200: {
      description:
        "By `sequence`, the latest first unless `sortOrder` says otherwise. A page that is filtered by a frequent type, or by an object and " +
        "a type, is searched in 20,000 events: it may hold fewer rows than `limit`, or none, while `hasMore` is true.",
      schema: listOf(EventSchema),
      example: { data: [listedEventExample], hasMore: false },
    },
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
        const { rows, ...more } = await list(reads, { platformId, limit, ...wish });
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

/** The filters but for the bounds of the sequence. Refuses a type that no event has. */
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

/** The cursor is a bound of the sequence on the side that the list goes to. */
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
