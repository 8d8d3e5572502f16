import { cancelEventResend as command } from "../../../domain/events/resends/cancel-event-resend.ts";
import { requireId } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { resendInPath } from "./get-event-resend.ts";

export const cancelEventResend = defineOperation({
  id: "cancelEventResend",
  method: "DELETE",
  path: "/event-resends/{resendId}",
  access: "MANAGE",
  capability: "deliveries.resend-many",
  tag: "Events",
  summary: "Cancel a resend",
  description:
    "What was sent stays sent, and attempts under way end. The order can still be read, as CANCELLED.",
  params: resendInPath,
  answers: { 204: { description: "Cancelled." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }, { engine }: Services) {
    const resendId = requireId("EventResend", params.resendId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command,
      input: { resendId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
  },
});
