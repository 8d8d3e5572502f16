import {
  deliveryExample,
  deliveryJson,
  WebhookDeliverySchema,
} from "../../../../wire/events/webhook-delivery.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { deliveryInPath, requireDelivery } from "./delivery-fields.ts";

export const getWebhookDelivery = defineOperation({
  id: "getWebhookDelivery",
  method: "GET",
  path: "/webhook-deliveries/{deliveryId}",
  access: "VIEW",
  capability: "deliveries.read",
  tag: "Webhooks",
  summary: "Get a webhook delivery",
  params: deliveryInPath,
  answers: {
    200: {
      description: "The delivery as it stands.",
      schema: WebhookDeliverySchema,
      example: deliveryExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const delivery = await requireDelivery(reads, platformId, params.deliveryId);
    return { status: 200, body: deliveryJson(platformId, delivery) };
  },
});
