/** The position after which a requested stream starts. */
import Type from "typebox";
import { invalidField } from "../../../engine/refusal.ts";
import { LAST_EVENT_ID } from "../../request/server-sent-events.ts";

export const sequenceParameter = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

const SEQUENCE = /^(?:0|[1-9][0-9]{0,17})$/;

/** The event after which the stream starts, and the field that names it; undefined for a start at this moment. */
export function positionAsked(lastEventId: string | undefined, after: number | undefined) {
  if (lastEventId !== undefined) {
    if (!SEQUENCE.test(lastEventId)) {
      throw invalidField(LAST_EVENT_ID, "must be the sequence of an event");
    }
    return { field: LAST_EVENT_ID, seq: BigInt(lastEventId) };
  }
  return after === undefined ? undefined : { field: "after", seq: BigInt(after) };
}
