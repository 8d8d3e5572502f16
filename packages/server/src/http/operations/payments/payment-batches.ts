import Type from "typebox";
import { cancelBatch } from "../../../domain/payments/batches/cancel-batch.ts";
import { listBatchItems } from "../../../domain/payments/batches/payment-batch.sql.ts";
import {
  batchModes,
  batchStatuses,
  findPaymentBatch,
  hasEnded,
  listPaymentBatches as loadBatches,
  type PaymentBatch,
  shownStatuses,
} from "../../../domain/payments/batches/payment-batch.ts";
import type { Answered } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import { statusFacet } from "../../../tables/facets.ts";
import { filledText } from "../../../wire/fields.ts";
import { exampleId, pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { dryRunNote } from "../../../wire/payments/dry-run.ts";
import {
  endedBatchExample,
  wireBatchItem,
  wirePaymentBatch,
} from "../../../wire/payments/payment-batch.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { fileAnswer } from "../../request/file-answer.ts";
import { answerList } from "../../request/list.ts";
import { defineNoun, getOne, listAll, pageOf, shown } from "../../request/noun.ts";
import {
  defineOperation,
  defineUpload,
  isPerson,
  type OperationRequest,
  type Principal,
  route,
} from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { byFacet, byMetadata } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { payoutEvents } from "../event-lists.ts";
import {
  batchInput,
  itemOfField,
  judgeBatch,
  MOST_BATCH_BYTES,
  type PaymentBatchBody as NewBatch,
  PaymentBatchBody,
  scheduledForField,
} from "./batch-body.ts";
import { batchTemplate, bodyOfFile, columnsText } from "./batch-file.ts";
import { itemsFile, itemsFileExample } from "./batch-items-file.ts";
import { batchOrder, MOST_HELD_ITEMS } from "./held-batch.ts";

const batches = defineNoun({
  path: "/payment-batches",
  tag: "Payment batches",
  capability: "payments.read",
  ...wirePaymentBatch,
});

const batchDryRun = dryRunNote(wirePaymentBatch);

const ofBatch = { batchId: pathId("PaymentBatch") };

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
    "payment, because the items run after it. With `scheduledFor` the answer is 202 for either mode; a batch that cannot run at its time (`requireFunds`, `ALL_OR_NOTHING`) " +
    "is then `CANCELLED` with its `error`. An item is paid at most once, also over crashes and several servers.",
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
    202: shown(batches, "The batch is stored; its items run now, or at its time."),
  },
  dryRun: batchDryRun,
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
    submitBatch(services, principal, { body, idempotency }),
});

/** A batch of a person may wait for other people. */
async function submitBatch(
  services: Services,
  principal: Principal,
  { body, idempotency }: Pick<OperationRequest, "idempotency"> & { readonly body: NewBatch },
): Promise<Answered> {
  if (isPerson(principal) && body.items.length > MOST_HELD_ITEMS) {
    throw invalidField(
      "items",
      `must have at most ${MOST_HELD_ITEMS} items in a batch of a person`,
    );
  }
  return submitOrder(services, principal, {
    order: batchOrder,
    content: body,
    input: batchInput(body, services),
    toAnswer: (batch) => ({
      status: hasEnded(batch) ? 201 : 202,
      body: wirePaymentBatch.json(batch),
    }),
    idempotency,
  });
}

const createPaymentBatchFromCsv = defineUpload({
  id: "createPaymentBatchFromCsv",
  ...route("POST /payment-batches/csv", "TRANSACT", "payments.create"),
  tag: batches.tag,
  summary: "Create a payment batch from a CSV file",
  description:
    "Like `POST /payment-batches`, with a row an item: UTF-8, a header row, commas, RFC 4180 quotes, at most 10,000 rows and 8 MB. " +
    `The columns: ${columnsText}. \`GET /payment-batches/template.csv\` is a file to begin with. A file with a fault is refused as a whole; the answer lists up ` +
    "to 100 faults, each with its `row`, as a spreadsheet numbers it, and its `column`.",
  form: {
    fields: Type.Object({
      name: Type.Optional(filledText(80, { examples: ["Salaries November"] })),
      mode: Type.Optional(
        Type.Enum([...batchModes], { description: "`INDEPENDENT` when absent." }),
      ),
      requireFunds: Type.Optional(Type.Enum(["true", "false"])),
      scheduledFor: scheduledForField,
    }),
    file: { description: "The CSV file.", maxBytes: MOST_BATCH_BYTES },
  },
  answers: createPaymentBatch.answers,
  events: createPaymentBatch.events ?? [],
  refusals: createPaymentBatch.refusals,
  async handle({ principal, body: form }, services: Services) {
    const chunks: Buffer[] = [];
    const { fields, idempotency } = await form.read({
      async write(bytes) {
        chunks.push(bytes);
      },
    });
    const { mode = "INDEPENDENT", requireFunds, ...named } = fields;
    const options = { ...named, mode, requireFunds: requireFunds === "true" };
    const body = await bodyOfFile(Buffer.concat(chunks), options, services.compile);
    return submitBatch(services, principal, { body, idempotency });
  },
});

const CSV = "text/csv; charset=utf-8";

const getPaymentBatchTemplate = defineOperation({
  id: "getPaymentBatchTemplate",
  ...route("GET /payment-batches/template.csv", "VIEW", batches.capability),
  tag: batches.tag,
  summary: "Get the template of a payment batch",
  description: "A CSV file with the header and one row, to be filled in a spreadsheet.",
  answers: { 200: { description: "The file.", contentType: "text/csv", example: batchTemplate } },
  refusals: [],
  handle: async () => ({
    ...fileAnswer("payment-batch.csv", CSV, async function* () {
      yield batchTemplate;
    }),
    isImpersonal: true,
  }),
});

const getPaymentBatchItemsFile = defineOperation({
  id: "getPaymentBatchItemsFile",
  ...route("GET /payment-batches/{batchId}/items.csv", "VIEW", batches.capability),
  opensPersonalData: true,
  tag: batches.tag,
  summary: "Get the items of a payment batch as a file",
  description:
    "With the columns of an upload, and behind them what became of each item. The rows with `status=REFUSED`, mended, are a file for `POST /payment-batches/csv`, " +
    "which ignores the columns of outcomes.",
  params: Type.Object(ofBatch),
  query: Type.Object({ status: Type.Optional(Type.Enum([...shownStatuses])) }),
  answers: {
    200: { description: "The file.", contentType: "text/csv", example: itemsFileExample },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, params, query }, { reads }: Services) {
    const batch = await requireBatch(reads, principal.platformId, params.batchId);
    const of = { platformId: principal.platformId, status: query.status };
    return fileAnswer("payment-batch-items.csv", CSV, () => itemsFile(reads, batch, of));
  },
});

const listPaymentBatches = listAll({
  ...batches,
  id: "listPaymentBatches",
  summary: "List payment batches",
  filters: {
    status: byFacet(statusFacet, batchStatuses),
    metadata: byMetadata("payment_batches"),
  },
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
  createPaymentBatchFromCsv,
  getPaymentBatchTemplate,
  listPaymentBatches,
  getPaymentBatch,
  listPaymentBatchItems,
  getPaymentBatchItemsFile,
  cancelPaymentBatch,
];
