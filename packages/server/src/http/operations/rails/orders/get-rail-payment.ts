import Type from "typebox";
import { findRailPayment } from "../../../../domain/rails/orders/rail-payment.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  RailPaymentSchema,
  railPaymentExample,
  railPaymentJson,
} from "../../../../wire/rails/rail-payment.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getRailPayment = defineOperation({
  id: "getRailPayment",
  method: "GET",
  path: "/rails/payments/{paymentId}",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "Get a rail payment",
  params: Type.Object({ paymentId: pathId("RailPayment") }),
  answers: {
    200: { description: "The order.", schema: RailPaymentSchema, example: railPaymentExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailPayment", params.paymentId, "REFERENCE_NOT_FOUND");
    const payment = await findRailPayment(reads, principal.platformId, id);
    if (payment === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: railPaymentJson(payment) };
  },
});
