import Type from "typebox";
import {
  recallRailPayment as recallRailPaymentCommand,
  recallReasons,
} from "../../../domain/rails/orders/recall-rail-payment.ts";
import { rerouteRailPayment as rerouteRailPaymentCommand } from "../../../domain/rails/orders/reroute-rail-payment.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import {
  RailPaymentSchema,
  railPaymentExample,
  railPaymentJson,
} from "../../../wire/rails/rail-payment.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const rerouteRailPayment = defineOperation({
  id: "rerouteRailPayment",
  ...route("POST /rails/payments/{paymentId}/reroute", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rails",
  summary: "Reroute a rail payment",
  description:
    "Only while it is `QUEUED`: an order that may have left is never given to another connection. It keeps its id and its history.",
  params: Type.Object({ paymentId: pathId("RailPayment") }),
  body: Type.Object({
    connectionId: Type.Optional(
      Type.String({ description: "`RailConnection:<uuid>`; the next route's when absent." }),
    ),
  }),
  bodyOptional: true,
  requestExample: { connectionId: railPaymentExample.connectionId },
  answers: {
    200: {
      description: "The order, queued at the other connection.",
      schema: RailPaymentSchema,
      example: {
        ...railPaymentExample,
        state: "QUEUED",
        sentAt: undefined,
        lastReport: undefined,
      },
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine }: Services) {
    const paymentId = requireId("RailPayment", params.paymentId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command: rerouteRailPaymentCommand,
      input: { paymentId, connectionId: connectionIn(body?.connectionId) },
      toAnswer: (payment) => ({ status: 200, body: railPaymentJson(payment) }),
      idempotency,
    });
  },
});

function connectionIn(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  return requireIdField("RailConnection", { field: "connectionId", raw }, "REFERENCE_NOT_FOUND");
}

const recallRailPayment = defineOperation({
  id: "recallRailPayment",
  ...route("POST /rails/payments/{paymentId}/recall", "TRANSACT", "reconciliation.write"),
  tag: "Rails",
  summary: "Recall a rail payment",
  description:
    "A queued order is cancelled and its money given back at once. Of an order that was sent the rail is asked, which promises " +
    "nothing: the payment stays as it is until the rail reports about it.",
  params: Type.Object({ paymentId: pathId("RailPayment") }),
  body: Type.Object({
    reason: Type.Enum([...recallReasons]),
    note: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  requestExample: { reason: "WRONG_ACCOUNT" },
  answers: {
    200: {
      description: "The order.",
      schema: RailPaymentSchema,
      example: {
        ...railPaymentExample,
        recall: { state: "REQUESTED", reason: "WRONG_ACCOUNT", at: "2026-11-21T10:05:00.000Z" },
      },
    },
  },
  events: [
    "OUTGOING_PAYMENT.FAILED",
    "OUTGOING_PAYMENT.REFUND_PENDING",
    "OUTGOING_PAYMENT.REFUND_COMPLETED",
    "INCOMING_PAYMENT.FAILED",
    "INCOMING_PAYMENT.REFUND_FAILED",
    "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  ],
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body, idempotency }, { engine }: Services) {
    const paymentId = requireId("RailPayment", params.paymentId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command: recallRailPaymentCommand,
      input: { paymentId, reason: body.reason, note: body.note },
      toAnswer: (payment) => ({ status: 200, body: railPaymentJson(payment) }),
      idempotency,
    });
  },
});

export const orderChanges = [rerouteRailPayment, recallRailPayment];
