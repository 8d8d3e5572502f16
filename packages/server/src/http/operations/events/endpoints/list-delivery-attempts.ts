import Type from "typebox";
import { listAttempts } from "../../../../domain/events/delivery-log/attempt.sql.ts";
import {
  attemptExample,
  attemptJson,
  DeliveryAttemptSchema,
} from "../../../../wire/events/webhook-delivery.ts";
import { listOf } from "../../../../wire/fields.ts";
import { answerPage } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { deliveryInPath, requireDelivery } from "./delivery-fields.ts";

export const listDeliveryAttempts = defineOperation({
  id: "listDeliveryAttempts",
  method: "GET",
  path: "/webhook-deliveries/{deliveryId}/attempts",
  access: "VIEW",
  capability: "deliveries.read",
  tag: "Webhooks",
  summary: "List the attempts of a webhook delivery",
  description: "`attemptsComplete` of the delivery tells whether the log has each of them.",
  params: deliveryInPath,
  query: Type.Object(pageParameters),
  answers: {
    200: {
      description: "The latest first.",
      schema: listOf(DeliveryAttemptSchema),
      example: { data: [attemptExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { reads } = services;
    const { platformId } = principal;
    const delivery = await requireDelivery(reads, platformId, params.deliveryId);
    return answerPage(services, {
      operationId: `listDeliveryAttempts ${params.deliveryId}`,
      principal,
      query,
      load: ({ after, limit }) => listAttempts(reads, { platformId, ...delivery, after, limit }),
      positionOf: ({ id }) => id,
      toJson: attemptJson,
    });
  },
});
