/** Events as the API lists them: what their bytes say, their place in the sequence, and the object that they are about. */
import Type from "typebox";
import type { StoredEvent } from "../../engine/command-log.ts";
import { DateTimeSchema } from "../fields.ts";
import { eventExample } from "./event-examples.ts";

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

export const EventSchema = Type.Object(listedMembers, { $id: "Event" });

export const EventDetailSchema = Type.Object(
  { ...listedMembers, body: Type.String({ description: "The exact text that is delivered." }) },
  { $id: "EventDetail" },
);

export function eventRowJson(event: StoredEvent): string {
  return `{${membersOf(event)}}`;
}

export function eventDetailJson(event: StoredEvent): string {
  return `{${membersOf(event)},"body":${JSON.stringify(event.body)}}`;
}

const DATA = '"data":';

/** The body is `{"id":…,"type":…,"timestamp":…,"data":…}`; what stands before `data` holds no text of others. */
function membersOf({ seq, subject, body }: StoredEvent): string {
  const place = body.indexOf(DATA);
  return `${body.slice(1, place)}"sequence":${seq},"resourceId":"${subject}",${body.slice(place, -1)}`;
}

const { id, type, timestamp, data } = eventExample("OUTGOING_PAYMENT.COMPLETED") as Readonly<
  Record<string, unknown>
>;

export const listedEventExample = {
  id,
  type,
  timestamp,
  sequence: 42,
  resourceId: (data as { readonly id: string }).id,
  data,
};

export const eventDetailExample = {
  ...listedEventExample,
  body: JSON.stringify({ id, type, timestamp, data }),
};
