import Type from "typebox";
import { cancelBatch } from "../../../domain/payments/batches/cancel-batch.ts";
import { createBatch } from "../../../domain/payments/batches/create-batch.ts";
import { listBatchItems } from "../../../domain/payments/batches/payment-batch.sql.ts";
import {
  batchStatuses,
  findPaymentBatch,
  listPaymentBatches as loadBatches,
  type PaymentBatch,
  shownStatuses,
} from "../../../domain/payments/batches/payment-batch.ts";
import { refusingWhereItWaits } from "../../../domain/people/approvals/hold-order.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { statusFacet } from "../../../tables/facets.ts";
import { exampleId, pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { dryRunNote } from "../../../wire/payments/dry-run.ts";
import {
  endedBatchExample,
  wireBatchItem,
  wirePaymentBatch,
} from "../../../wire/payments/payment-batch.ts";
import { answerList } from "../../request/list.ts";
import { defineNoun, getOne, listAll, pageOf, shown } from "../../request/noun.ts";
import { defineOperation, isPerson, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { byFacet } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { payoutEvents } from "../event-lists.ts";
import {
  batchInput,
  itemOfField,
  judgeBatch,
  MOST_BATCH_BYTES,
  PaymentBatchBody,
} from "./batch-body.ts";

const batches = defineNoun({
  path: "/payment-batches",
  tag: "Payment batches",
  capability: "payments.read",
  ...wirePaymentBatch,
});

const ofBatch = { batchId: pathId("PaymentBatch") };

/** A batch that people would have to agree to. */
const heldBatch = refusingWhereItWaits(createBatch, {
  kind: "PAYMENT",
  message:
    "Payments of people wait for other people here, and a batch cannot wait yet; a token can send it.",
});

const createPaymentBatch = defineOperation({
  id: "createPaymentBatch",
  ...route("POST /payment-batches", "TRANSACT", "payments.create"),
  tag: batches.tag,
  summary: "Create a payment batch",
  description:
    "Takes up to 10,000 payments in one call, of at most 8 MB. Every item is checked in form first: the answer lists up to 100 faults, each with the " +
    "`index` and the `reference` of its item, and then nothing is stored. Of an `INDEPENDENT` batch the answer is 202, and the items run in their order; " +
    "each is decided like the single call, and one that is refused stops no other. An `ALL_OR_NOTHING` batch is one commit: 201, or the refusal of the " +
    "first item that cannot be paid, with its `index` and `reference` in `details`. A dry run shows what the call itself does: of an `INDEPENDENT` batch no " +
    "payment, because the items run after it. An item is paid at most once, also over crashes and several servers.",
  maxBodyBytes: MOST_BATCH_BYTES,
  body: PaymentBatchBody,
  judge: judgeBatch,
  placeOfField: itemOfField,
  requestExample: {
    name: "Salaries November",
    mode: "INDEPENDENT",
    requireFunds: true,
    items: [
      {
        reference: "salary-0018",
        kind: "TRANSFER_OUT",
        source: { accountId: exampleId("InternalAccount") },
        destination: { accountId: exampleId("ExternalAccount", "3") },
        amount: 240000,
        description: "Salary November",
      },
    ],
  },
  answers: {
    201: shown({ ...batches, example: endedBatchExample }, "All payments were made."),
    202: shown(batches, "The batch is stored; its items run now."),
  },
  dryRun: dryRunNote(batches),
  events: [...payoutEvents, "INCOMING_PAYMENT.COMPLETED", "PAYMENT_BATCH.COMPLETED"],
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "SELF_PAYMENT",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "NOT_IMPLEMENTED",
    "PAYLOAD_TOO_LARGE",
  ],
  handle: ({ principal, body, idempotency }, services: Services) =>
    submitForCaller(services.engine, principal, {
      command: isPerson(principal) ? heldBatch : createBatch,
      input: batchInput(body, services),
      toAnswer: (batch) => ({
        status: batch.mode === "INDEPENDENT" ? 202 : 201,
        body: wirePaymentBatch.json(batch),
      }),
      idempotency,
    }),
});

const listPaymentBatches = listAll({
  ...batches,
  id: "listPaymentBatches",
  summary: "List payment batches",
  filters: { status: byFacet(statusFacet, batchStatuses) },
  list: loadBatches,
});

const getPaymentBatch = getOne({
  ...batches,
  id: "getPaymentBatch",
  summary: "Get a payment batch",
  param: "batchId",
  kind: "PaymentBatch",
  answer: "The batch. Its counts agree with its items.",
  find: findPaymentBatch,
});

async function requireBatch(
  reads: Reads,
  platformId: string,
  wireId: string,
): Promise<PaymentBatch> {
  const id = requireId("PaymentBatch", wireId, "REFERENCE_NOT_FOUND");
  const batch = await findPaymentBatch(reads, platformId, id);
  if (batch === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return batch;
}

const listPaymentBatchItems = defineOperation({
  id: "listPaymentBatchItems",
  ...route("GET /payment-batches/{batchId}/items", "VIEW", batches.capability),
  tag: batches.tag,
  summary: "List the items of a payment batch",
  params: Type.Object(ofBatch),
  query: Type.Object({
    status: Type.Optional(Type.Enum([...shownStatuses])),
    ...pageParameters,
  }),
  answers: { 200: pageOf(wireBatchItem, "In the order of the batch.") },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { reads } = services;
    const batch = await requireBatch(reads, principal.platformId, params.batchId);
    return answerList(services, {
      operationId: "listPaymentBatchItems",
      principal,
      query: { ...query, batchId: params.batchId },
      load: (page) => listBatchItems(reads, batch, { ...page, status: query.status }),
      idOf: ({ id }) => id,
      toJson: (item) => wireBatchItem.json(item, batch),
    });
  },
});

const cancelPaymentBatch = defineOperation({
  id: "cancelPaymentBatch",
  ...route("POST /payment-batches/{batchId}/cancel", "TRANSACT", "payments.create"),
  tag: batches.tag,
  summary: "Cancel a payment batch",
  description: "Items that have not run are never run. Payments that were made of others go on.",
  params: Type.Object(ofBatch),
  answers: {
    200: shown(
      {
        ...batches,
        example: {
          ...endedBatchExample,
          status: "CANCELLED",
          counts: { ...endedBatchExample.counts, accepted: 150, cancelled: 48 },
        },
      },
      "The batch, cancelled.",
    ),
  },
  events: ["PAYMENT_BATCH.COMPLETED"],
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: cancelBatch,
      input: { batchId: requireId("PaymentBatch", params.batchId, "REFERENCE_NOT_FOUND") },
      toAnswer: (batch) => ({ status: 200, body: wirePaymentBatch.json(batch) }),
      idempotency,
    }),
});

export const paymentBatchOperations = [
  createPaymentBatch,
  listPaymentBatches,
  getPaymentBatch,
  listPaymentBatchItems,
  cancelPaymentBatch,
];
