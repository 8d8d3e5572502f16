import Type from "typebox";
import { markRailPayments as command } from "../../../../domain/rails/orders/mark-rail-payments.ts";
import { present } from "../../../../std/assert.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { askedAnswer, waitingAnswer } from "../../../../wire/rails/rail-mark.ts";
import {
  markMembers,
  RailPaymentSchema,
  railPaymentExample,
  railPaymentJson,
} from "../../../../wire/rails/rail-payment.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { markOf } from "./mark-body.ts";

export const markRailPayment = defineOperation({
  id: "markRailPayment",
  method: "POST",
  path: "/rails/payments/{paymentId}/mark",
  access: "TRANSACT",
  capability: "reconciliation.write",
  needsProof: true,
  tag: "Rails",
  summary: "Mark a rail payment",
  description:
    "Of a `MANUAL` connection this is how an order is worked off. Of any other it adds what no report has said. A mark that contradicts " +
    "what was recorded is refused; of a payment in conflict, the mark of its own state says that the state stands.",
  params: Type.Object({ paymentId: pathId("RailPayment") }),
  body: Type.Object(markMembers),
  requestExample: { outcome: "SETTLED", reference: "BANK-20261121-0042" },
  answers: {
    200: {
      description: "The order after the mark.",
      schema: RailPaymentSchema,
      example: { ...railPaymentExample, state: "SETTLED", settledOn: "2026-11-21" },
    },
    202: waitingAnswer,
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine }: Services) {
    const id = requireId("RailPayment", params.paymentId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command,
      input: { marks: [markOf(id, body)], fieldOf: (_index, name) => name },
      toAnswer: (asked) =>
        askedAnswer(asked, {
          status: 200,
          bodyOf: ([payment]) => railPaymentJson(present(payment, "a marked payment")),
        }),
      idempotency,
    });
  },
});
