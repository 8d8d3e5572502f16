import Type, { type Static } from "typebox";
import { eventTypes } from "../../../domain/webhooks/event-catalogue.ts";
import { type EventQuery, listEvents as list } from "../../../domain/webhooks/event-list.sql.ts";
import { invalidField } from "../../../engine/refusal.ts";
import { uuidPattern } from "../../../std/ids.ts";
import { formedText } from "../../../validation/schema.ts";
import { dateTimeParameter, listOf } from "../../../wire/fields.ts";
import { EventSchema, eventRowJson, listedEventExample } from "../../../wire/platform/event.ts";
import { momentsOf } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const sequenceParameter = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

export const eventFilters = {
  type: Type.Optional(
    Type.Array(
      Type.String({
        maxLength: 64,
        description: "An event type, or the beginning of several: `OUTGOING_PAYMENT.*`.",
        examples: ["OUTGOING_PAYMENT.*"],
      }),
      { maxItems: 50 },
    ),
  ),
  resourceId: Type.Optional(
    formedText(`^[A-Z][A-Za-z]{0,31}:${uuidPattern}$`, "must be the id of an object", {
      description: "The object that the event is about.",
      examples: ["Transaction:019a4f00-0000-7000-8000-000000000002"],
    }),
  ),
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
  tag: "Events",
  summary: "List events",
  query: Query,
  answers: {
    200: {
      description: "By `sequence`, the latest first unless `sortOrder` says otherwise.",
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
      load: ({ platformId, after, limit }) =>
        list(services.reads, {
          platformId,
          limit,
          ...eventQueryOf(query),
          ...boundsOf(query, after),
        }),
      positionOf: ({ seq }) => String(seq),
      toJson: eventRowJson,
    }),
});

/** The filters but for the bounds of the sequence. Refuses a type that no event has. */
export function eventQueryOf({ type, resourceId, ...moments }: Static<typeof Filters>) {
  return {
    types: [...new Set((type ?? []).flatMap(typesOf))],
    subject: resourceId,
    ...momentsOf(moments),
  };
}

function typesOf(wanted: string): readonly string[] {
  const beginning = wanted.endsWith(".*") ? wanted.slice(0, -1) : undefined;
  const found = eventTypes.filter((type) =>
    beginning === undefined ? type === wanted : type.startsWith(beginning),
  );
  if (found.length === 0) {
    throw invalidField(
      "type",
      "must be event types, or beginnings of some like OUTGOING_PAYMENT.*",
    );
  }
  return found;
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
