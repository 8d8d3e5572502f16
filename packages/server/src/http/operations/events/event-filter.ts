/** The filter of an order to send events again, and its conversion to bounds of the event sequence. */
import Type, { type Static } from "typebox";
import { resendBounds } from "../../../domain/events/resends/event-resend.sql.ts";
import type { ResendSelection } from "../../../domain/events/resends/event-resend.ts";
import { eventTypesOf } from "../../../domain/events/webhook-endpoint.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { isJsonObject, type Json } from "../../../std/json.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { momentsOf } from "../../request/filters.ts";
import { eventTypesParameter, resourceIdParameter } from "./events.ts";
import { sequenceParameter } from "./stream-position.ts";

export const ResendFilterSchema = Type.Object(
  {
    type: eventTypesParameter,
    resourceId: resourceIdParameter,
    after: sequenceParameter("Events with a higher `sequence`."),
    before: sequenceParameter("Events with a lower `sequence`."),
    since: dateTimeParameter("Events of this time or later."),
    until: dateTimeParameter("Events of this time or earlier."),
    failed: Type.Optional(
      Type.Boolean({
        description:
          "Only events that the endpoint has not taken: those that are to be tried again and those that were given up.",
      }),
    ),
  },
  {
    $id: "ResendFilter",
    description:
      "As of `GET /events`. An empty one selects every event, so a field that is no filter is refused.",
  },
);

export type ResendFilter = Static<typeof ResendFilterSchema>;

const KNOWN = Object.keys(ResendFilterSchema.properties);

/** A field that is no filter is not repeated in the message, which is logged; `X-Ignored-Fields` names it. */
export function filterFaults(filter: Json | undefined): readonly FieldError[] {
  if (!isJsonObject(filter)) return [];
  const isKnown = Object.keys(filter).every((name) => KNOWN.includes(name));
  const message = `has a field that is no filter; X-Ignored-Fields names it. Filters are ${KNOWN.join(", ")}`;
  return [...(isKnown ? [] : [{ field: "filter", message }]), ...typeFaults(filter.type)];
}

function typeFaults(type: Json | undefined): readonly FieldError[] {
  const types = Array.isArray(type) ? type : [];
  return types.flatMap((one, index) =>
    typeof one !== "string" || eventTypesOf(one).length > 0
      ? []
      : [
          {
            field: `filter.type[${index}]`,
            message: "must be an event type, or the beginning of some like OUTGOING_PAYMENT.*",
          },
        ],
  );
}

/** The selection of the filter, evaluated at this moment. */
export async function selectionOf(
  reads: Reads,
  platformId: string,
  { type = [], resourceId, after, before, failed, ...moments }: ResendFilter,
): Promise<ResendSelection> {
  const bounds = await resendBounds(reads, platformId, {
    after: after === undefined ? undefined : BigInt(after),
    before: before === undefined ? undefined : BigInt(before),
    ...momentsOf(moments),
  });
  return {
    types: [...new Set(type.flatMap(eventTypesOf))],
    subject: resourceId ?? null,
    ...bounds,
    isFailedOnly: failed ?? false,
  };
}
