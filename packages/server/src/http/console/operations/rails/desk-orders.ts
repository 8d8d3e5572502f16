import Type from "typebox";
import { bankDetailsOf } from "../../../../domain/rails/desk/bank-details.ts";
import {
  leaseRailOrders as leaseRailOrdersCommand,
  MOST_LEASED,
} from "../../../../domain/rails/desk/order-lease.ts";
import { markEachRailPayment } from "../../../../domain/rails/orders/mark-each-rail-payment.ts";
import { MOST_MARKS } from "../../../../domain/rails/orders/mark-rail-payments.ts";
import { findRailPayment } from "../../../../domain/rails/orders/rail-payment.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { idField, pathId } from "../../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../../wire/ids.ts";
import {
  BankDetailsSchema,
  bankDetailsExample,
  bankDetailsJson,
  LeasedSchema,
  leasedExample,
  leasedJson,
  MarkedSchema,
  markedExample,
  markedJson,
} from "../../../../wire/rails/desk-orders.ts";
import { markMembers, railPaymentExample } from "../../../../wire/rails/rail-payment.ts";
import { reportEvents } from "../../../operations/event-lists.ts";
import { markOf } from "../../../operations/rails/orders.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { ofPlatform } from "../../place.ts";

const paymentIds = (maxItems: number) =>
  Type.Array(idField("RailPayment"), { minItems: 1, maxItems, uniqueItems: true });

function idsIn(sent: readonly string[]): readonly string[] {
  return sent.map((raw, index) => {
    const field = `paymentIds[${index}]`;
    return requireIdField("RailPayment", { field, raw }, "REFERENCE_NOT_FOUND");
  });
}

const markDeskOrders = defineOperation({
  id: "markDeskOrders",
  ...route(`POST ${ofPlatform("/rails/desk/marks")}`, "PERSON", "reconciliation.write"),
  needsProof: true,
  tag: "Rails",
  summary: "Mark each of many orders",
  description:
    "Each order is marked by the rules of a mark of its own, and has its own result: one that is refused leaves the others as they are. At a " +
    "connection with `approval: FOUR_EYES` the marks of this call wait together.",
  body: Type.Object({ paymentIds: paymentIds(MOST_MARKS), ...markMembers }),
  requestExample: {
    paymentIds: [railPaymentExample.id],
    outcome: "SETTLED",
    note: "Paid in the bank's portal",
  },
  answers: {
    200: {
      description: "The result of each order, in their order.",
      schema: MarkedSchema,
      example: markedExample,
    },
  },
  events: reportEvents,
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: markEachRailPayment,
      input: { marks: idsIn(body.paymentIds).map((id) => markOf(id, body)) },
      toAnswer: (marked) => ({ status: 200, body: markedJson(marked) }),
      idempotency,
    }),
});

const leaseDeskOrders = defineOperation({
  id: "leaseDeskOrders",
  ...route(`POST ${ofPlatform("/rails/desk/leases")}`, "PERSON", "reconciliation.write"),
  tag: "Rails",
  summary: "Take orders of the queue",
  description:
    "For ten minutes the others at the desk see who makes these orders. Taking them again begins the ten minutes anew. An order that " +
    "another person has keeps that person. A mark needs no lease.",
  body: Type.Object({
    paymentIds: paymentIds(MOST_LEASED),
    isRelease: Type.Optional(Type.Boolean({ description: "Gives them back instead." })),
  }),
  requestExample: { paymentIds: [railPaymentExample.id] },
  answers: {
    200: {
      description: "Who has each order now, in their order.",
      schema: LeasedSchema,
      example: leasedExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: leaseRailOrdersCommand,
      input: {
        paymentIds: idsIn(body.paymentIds),
        personId: principal.personId,
        personName: principal.act.actorName ?? "",
        isRelease: body.isRelease ?? false,
      },
      toAnswer: (leased) => ({ status: 200, body: leasedJson(leased) }),
      idempotency,
    }),
});

const revealDeskOrder = defineOperation({
  id: "revealDeskOrder",
  ...route(
    `GET ${ofPlatform("/rails/desk/orders/{paymentId}/bank-details")}`,
    "PERSON",
    "reconciliation.write",
  ),
  opensPersonalData: true,
  notesRead: true,
  tag: "Rails",
  summary: "Get what is typed at the bank for an order",
  description: "With the full account number of the payee. Each read has an audit entry.",
  params: Type.Object({ paymentId: pathId("RailPayment") }),
  answers: {
    200: {
      description: "The details.",
      schema: BankDetailsSchema,
      example: bankDetailsExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("RailPayment", params.paymentId, "REFERENCE_NOT_FOUND");
    const payment = await findRailPayment(reads, principal.platformId, id);
    if (payment === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: bankDetailsJson(bankDetailsOf(payment)) };
  },
});

export const deskOrderOperations = [markDeskOrders, leaseDeskOrders, revealDeskOrder];
