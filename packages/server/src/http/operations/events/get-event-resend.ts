import Type from "typebox";
import {
  findEventResend,
  resendProgress,
} from "../../../domain/events/resends/event-resend.sql.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  EventResendSchema,
  eventResendExample,
  eventResendJson,
} from "../../../wire/events/event-resend.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

export const resendInPath = Type.Object({ resendId: pathId("EventResend") });

export const getEventResend = defineOperation({
  id: "getEventResend",
  method: "GET",
  path: "/event-resends/{resendId}",
  access: "VIEW",
  capability: "deliveries.read",
  tag: "Events",
  summary: "Get a resend",
  params: resendInPath,
  answers: {
    200: { description: "The order.", schema: EventResendSchema, example: eventResendExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const id = requireId("EventResend", params.resendId, "REFERENCE_NOT_FOUND");
    const resend = await findEventResend(reads, platformId, id);
    if (resend === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    // Read after the order, so that the counts of one that has ended are final.
    const progress = await resendProgress(reads, platformId, id);
    return { status: 200, body: eventResendJson(platformId, resend, progress) };
  },
});
