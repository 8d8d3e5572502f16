import Type from "typebox";
import { storedEndpoint } from "../../../domain/events/delivery-id.ts";
import { resendEvent as command } from "../../../domain/events/resends/resend-event.ts";
import {
  ResentDeliveriesSchema,
  resentDeliveriesExample,
  resentDeliveriesJson,
} from "../../../wire/events/event-resend.ts";
import { requireIdField } from "../../../wire/ids.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitFound } from "../../request/submit-found.ts";
import { eventInPath, requireEvent } from "./get-event.ts";
import { resentDeliveries } from "./resent-deliveries.ts";

export const endpointField = Type.Optional(
  Type.String({
    description: "`WebhookEndpoint:<uuid>`: only this endpoint.",
    examples: ["WebhookEndpoint:019a4f00-0000-7000-8000-000000000009"],
  }),
);

/** The id under which the streams of a named endpoint are stored. */
export function endpointOf(platformId: string, raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  const field = { field: "endpointId", raw };
  return storedEndpoint(
    platformId,
    requireIdField("WebhookEndpoint", field, "WEBHOOK_ENDPOINT_NOT_FOUND"),
  );
}

export const resendEvent = defineOperation({
  id: "resendEvent",
  method: "POST",
  path: "/events/{eventId}/resend",
  access: "MANAGE",
  capability: "deliveries.resend",
  opensPersonalData: true,
  tag: "Events",
  summary: "Resend an event",
  description:
    "One more attempt with the same id and the same bytes, also of an event that was delivered, however old it is; the delivery " +
    "has `X-Redelivery: true`. TEST events and the question whether to take a payment are refused with 409. Without `endpointId` " +
    "it goes to each endpoint that gets events of its type.",
  params: eventInPath,
  body: Type.Object({ endpointId: endpointField }),
  bodyOptional: true,
  requestExample: { endpointId: "WebhookEndpoint:019a4f00-0000-7000-8000-000000000009" },
  answers: {
    202: {
      description: "The deliveries of which an attempt begins.",
      schema: ResentDeliveriesSchema,
      example: resentDeliveriesExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "EVENT_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_SET",
    "CONFLICT",
  ],
  async handle({ principal, params, body, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const event = await requireEvent(reads, platformId, params.eventId);
    const endpointId = endpointOf(platformId, body?.endpointId);
    return submitFound(engine, principal, {
      command,
      find: async () => ({
        eventSeq: event.seq,
        deliveries: await resentDeliveries(reads, platformId, { event, endpointId }),
      }),
      toAnswer: (deliveries) => ({
        status: 202,
        body: resentDeliveriesJson(platformId, event, deliveries),
      }),
      idempotency,
    });
  },
});
