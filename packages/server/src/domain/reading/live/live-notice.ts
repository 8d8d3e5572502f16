/** What a console learns of an event: its object and status, and nothing else of its content. */

import { type EventContent, type EventType, eventCatalogue } from "../../event-catalogue.ts";

export interface LiveNotice {
  readonly seq: bigint;
  readonly kind: Exclude<EventContent, "nothing">;
  /** As the API names the object. */
  readonly id: string;
  /** The part of the event's type that says what happened: `COMPLETED`. */
  readonly status: string;
}

/** Undefined for an event that is about no object. */
export function toNotice(seq: bigint, type: string, subject: string): LiveNotice | undefined {
  const kind = eventCatalogue[type as EventType]?.data;
  if (kind === undefined || kind === "nothing") return undefined;
  const place = type.includes(".") ? type.indexOf(".") : type.lastIndexOf("_");
  return { seq, kind, id: subject, status: type.slice(place + 1) };
}
