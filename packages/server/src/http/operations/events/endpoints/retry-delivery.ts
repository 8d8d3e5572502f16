import Type from "typebox";
import { fromDeliveryId } from "../../../../domain/events/delivery-id.ts";
import { findEvent } from "../../../../domain/events/event-list.sql.ts";
import { resendEvent as command } from "../../../../domain/events/resends/resend-event.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  ResentDeliveriesSchema,
  resentDeliveriesExample,
  resentDeliveriesJson,
} from "../../../../wire/events/event-resend.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitFound } from "../../../request/submit-found.ts";
import { resentDeliveries } from "../resent-deliveries.ts";

export const retryDelivery = defineOperation({
  id: "retryWebhookDelivery",
  method: "POST",
  path: "/webhook-deliveries/{deliveryId}/retry",
  access: "MANAGE",
  capability: "deliveries.resend",
  opensPersonalData: true,
  tag: "Webhooks",
  summary: "Retry a webhook delivery",
  description:
    "An attempt with `X-Redelivery: true`: of a delivery that waits for its next attempt at once, of one that was given up or was " +
    "delivered one more. A delivery that waits behind an earlier event of its resource follows that one, which is due now.",
  params: Type.Object({
    deliveryId: Type.String({
      description: "`WebhookDelivery:<uuid>.<uuid>`",
      examples: resentDeliveriesExample.deliveries.map(({ id }) => id),
    }),
  }),
  answers: {
    202: {
      description: "The delivery.",
      schema: ResentDeliveriesSchema,
      example: resentDeliveriesExample,
    },
  },
  refusals: [
    "REFERENCE_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_FOUND",
    "WEBHOOK_ENDPOINT_NOT_SET",
    "CONFLICT",
  ],
  async handle({ principal, params, idempotency }, { engine, reads }: Services) {
    const { platformId } = principal;
    const named = fromDeliveryId(platformId, params.deliveryId);
    // An id of another kind is refused with that kind.
    if (named === undefined) requireId("WebhookDelivery", params.deliveryId, "REFERENCE_NOT_FOUND");
    const event = named && (await findEvent(reads, platformId, named.eventId));
    if (event === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return submitFound(engine, principal, {
      command,
      find: async () => ({
        eventSeq: event.seq,
        deliveries: await resentDeliveries(reads, platformId, {
          event,
          endpointId: named?.endpointId,
        }),
      }),
      toAnswer: (deliveries) => ({
        status: 202,
        body: resentDeliveriesJson(platformId, event, deliveries),
      }),
      idempotency,
    });
  },
});
