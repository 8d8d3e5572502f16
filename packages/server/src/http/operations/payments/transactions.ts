import Type, { type Static } from "typebox";
import { findCustomersNamed } from "../../../domain/customers/customer.sql.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import { changeTransactionMetadata } from "../../../domain/payments/transactions/change-metadata.ts";
import { failureCodes } from "../../../domain/payments/transactions/failure.ts";
import { incomingRefundReasons } from "../../../domain/payments/transactions/incoming-refund.ts";
import {
  findTransaction,
  listTransactions as loadTransactions,
  searchTransactions,
} from "../../../domain/payments/transactions/transaction.sql.ts";
import type { Transaction } from "../../../domain/payments/transactions/transaction.ts";
import { partiesOfTransaction } from "../../../domain/reading/parties/payment-parties.ts";
import { timelineFacts } from "../../../domain/reading/timeline.sql.ts";
import { approvePayment, rejectPayment } from "../../../domain/uma/decide-payment.ts";
import { LONGEST_REASON } from "../../../domain/uma/payment-approval.ts";
import { Refusal } from "../../../engine/refusal.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { Condition, ListPage } from "../../../tables/list-query.ts";
import { requestAmount, sensitive } from "../../../validation/schema.ts";
import { CustomerInfoSchema } from "../../../wire/customers/customer-info.ts";
import { ownerField, pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import { transactionDryRun } from "../../../wire/payments/dry-run.ts";
import { TimelineSchema, timelineExample, timelineJson } from "../../../wire/payments/timeline.ts";
import {
  incomingTransactionExample,
  refundTransactionExample,
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../wire/payments/transaction.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { expandParameter, ofEach } from "../../request/expand.ts";
import { when, whenOwner } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { defineNoun, getOne, listFacts, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { whenReference } from "../../search/found-conditions.ts";
import { metadataConditions, metadataParameter } from "../../search/metadata-filter.ts";
import { type Seeker, seekerOf } from "../../search/seeker.ts";
import { payoutEvents } from "../event-lists.ts";
import { refundInput, refundOrder } from "./held-transfers.ts";
import { storyOfPayment } from "./payment-story.ts";
import {
  transactionConditions,
  transactionFilters,
  transactionOrder,
} from "./transaction-filters.ts";
import {
  foundConditions,
  searchedTransactionFilters,
  unindexedConditions,
} from "./transaction-search.ts";

const partiesOf = ofEach(partiesOfTransaction);

export const transactions = defineNoun({
  path: "/transactions",
  tag: "Transactions",
  capability: "payments.read",
  schema: TransactionSchema,
  example: transactionExample,
  json: transactionJson,
  partiesOf,
});

/** The filters of the list, without its order. */
export const listedTransactionFilters = {
  customerId: Type.Optional(
    ownerField("A customer, or the platform's own id for its own transactions."),
  ),
  platformCustomerId: Type.Optional(Type.String({ maxLength: 255, examples: ["ana-1"] })),
  failureCode: Type.Optional(
    Type.Enum([...failureCodes], {
      description: "Payments that failed or came back for this reason: `failure.code`.",
    }),
  ),
  ...transactionFilters,
  ...searchedTransactionFilters,
};

const Filters = Type.Object(listedTransactionFilters);

const Query = Type.Object({
  ...listedTransactionFilters,
  metadata: metadataParameter,
  ...transactionOrder,
  ...expandParameter,
  ...pageParameters,
});

const listTransactions = defineOperation({
  ...listFacts(
    transactions,
    "Newest first, unless `sortOrder` says otherwise. By `currency`, amounts, `paymentRail`, `connectionId` and `hasRefund` the list is " +
      "searched: a page looks at 20,000 transactions at most, so it may hold few of them, or none, and still have a next one, and there is no `totalCount`.",
  ),
  id: "listTransactions",
  summary: "List transactions",
  query: Query,
  handle: async ({ principal, query }, services: Services) => {
    const { platformId } = principal;
    const seeker = seekerOf(services.reads, principal);
    const conditions = [
      ...(await metadataConditions(seeker, "transactions", query.metadata)),
      ...(await conditionsOf(seeker, query)),
    ];
    const fits = unindexedConditions(query);
    return answerPage(services, {
      operationId: "listTransactions",
      principal,
      query,
      load: (page): Promise<ListPage<Transaction>> => {
        const wish = { ...page, conditions, order: query.sortOrder };
        return fits.length === 0
          ? loadTransactions(services.reads, wish)
          : searchTransactions(services.reads, { ...wish, fits });
      },
      positionOf: ({ id }) => id,
      toJson: (transaction) => transactionJson(transaction, platformId),
      partiesOf,
    });
  },
});

/** The conditions that an index serves. */
export async function conditionsOf(
  seeker: Seeker,
  query: Static<typeof Filters>,
): Promise<readonly (Condition | undefined)[]> {
  const { reads, platformId } = seeker;
  return [
    ...(await foundConditions(seeker, query)),
    await whenReference(seeker, query.reference),
    whenOwner(query.customerId, { platformId, byOwner: !usesIndexOrderedById(query) }),
    await platformCustomerIdCondition(reads, query.platformCustomerId, platformId),
    // The predicate of the index of failed payments.
    when(query.failureCode, "t.failure is not null and t.failure ->> 'code' = ?::text"),
    ...transactionConditions(query),
  ];
}

/** These filters use an index that is ordered by id, not the index of owners. */
function usesIndexOrderedById(query: Static<typeof Filters>): boolean {
  const { accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier } = query;
  const parties = [accountIdentifier, senderAccountIdentifier, receiverAccountIdentifier];
  const texts = [query.q, query.counterparty, query.description];
  const others = [query.platformCustomerId, query.reference, query.failureCode, ...texts];
  return [...parties, ...others].some((each) => each !== undefined);
}

const DELETED_OF_NAME =
  "(select c.id from customers c where c.platform_id = $1::uuid " +
  "and c.platform_customer_id = (?::text[])[1] and c.deleted_at is not null)";

/**
 * Filters by `platformCustomerId`, which is permanent, so the filter can use the customer's id. The id is looked up
 * first, because PostgreSQL then plans with its statistics of this customer. Deleted customers with the same
 * `platformCustomerId` are included. The platform's own transactions have the platform's id.
 */
async function platformCustomerIdCondition(
  reads: Reads,
  name: string | undefined,
  platformId: string,
): Promise<Condition | undefined> {
  if (name === undefined) return undefined;
  const { liveId, hasDeleted } = await findCustomersNamed(reads, platformId, name);
  const sql = ["t.customer_id = (?::text[])[2]::uuid"];
  if (hasDeleted) sql.push(`t.customer_id in ${DELETED_OF_NAME}`);
  if (name === platformId) sql.push("t.customer_id is null");
  return { sql, value: liveId === undefined ? [name] : [name, liveId] };
}

const getTransaction = getOne({
  ...transactions,
  id: "getTransaction",
  summary: "Get a transaction",
  param: "transactionId",
  kind: "Transaction",
  answer: "The transaction.",
  find: findTransaction,
  missing: "TRANSACTION_NOT_FOUND",
});

const updateTransaction = defineOperation({
  id: "updateTransaction",
  ...route("PATCH /transactions/{transactionId}", "TRANSACT", "payments.create"),
  auditsTokens: true,
  tag: transactions.tag,
  summary: "Change the metadata of a transaction",
  description:
    "Replaces the metadata of a transaction in any state; `{}` removes it. A quote, a batch item and the other side of a book transfer keep theirs. " +
    "No event is sent; later events of the transaction show the metadata as it is then. The audit log says who changed it, without the values.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({ metadata: MetadataSchema }),
  requestExample: { metadata: { orderId: "1042", costCentre: "7" } },
  answers: {
    200: shown(
      {
        schema: TransactionSchema,
        example: { ...transactionExample, metadata: { orderId: "1042", costCentre: "7" } },
      },
      "The transaction.",
    ),
  },
  refusals: ["INVALID_INPUT", "TRANSACTION_NOT_FOUND"],
  handle: ({ principal, params, body }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: changeTransactionMetadata,
      input: {
        transactionId: requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND"),
        metadata: metadataOf(body.metadata),
      },
      toAnswer: (transaction) => ({
        status: 200,
        body: transactionJson(transaction, principal.platformId),
      }),
    }),
});

const getTransactionTimeline = defineOperation({
  id: "getTransactionTimeline",
  ...route("GET /transactions/{transactionId}/timeline", "VIEW", "payments.read"),
  tag: "Transactions",
  summary: "Get the timeline of a transaction",
  description:
    "What happened to a transaction: its statuses, postings, events, approvals and refunds in one list.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  query: Type.Object({ ...expandParameter }),
  answers: {
    200: {
      description: "At most 500 entries, the oldest first.",
      schema: TimelineSchema,
      example: timelineExample,
    },
  },
  refusals: ["TRANSACTION_NOT_FOUND"],
  async handle({ principal: { platformId }, params, query }, { reads }: Services) {
    const id = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    const transaction = await findTransaction(reads, platformId, id);
    if (transaction === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
    const facts = await timelineFacts(reads, platformId, id);
    const story =
      query.expand === undefined
        ? undefined
        : await storyOfPayment(reads, platformId, { transaction, facts });
    return { status: 200, body: timelineJson(transaction, { ...facts, platformId, story }) };
  },
});

const approveTransaction = defineOperation({
  id: "approveTransaction",
  ...route("POST /transactions/{transactionId}/approve", "TRANSACT", "payments.approve"),
  tag: "Transactions",
  summary: "Approve an incoming payment",
  description:
    "Takes an incoming payment that the platform was asked about. " +
    "Once the webhook that asks was answered with 202, and within five seconds of it. The mandatory fields that it names have to be answered.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({ receiverCustomerInfo: Type.Optional(CustomerInfoSchema) }),
  bodyOptional: true,
  requestExample: { receiverCustomerInfo: { NATIONALITY: "US" } },
  answers: {
    200: {
      description: "The transaction, which goes on by itself.",
      schema: TransactionSchema,
      example: { ...incomingTransactionExample, status: "COMPLETED" },
    },
  },
  events: [
    "INCOMING_PAYMENT.COMPLETED",
    "INCOMING_PAYMENT.FAILED",
    "INTERNAL_ACCOUNT.BALANCE_UPDATED",
  ],
  refusals: [
    "INVALID_INPUT",
    "MISSING_MANDATORY_USER_INFO",
    "TRANSACTION_NOT_FOUND",
    "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
  ],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const transactionId = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    return submitForCaller(services.engine, principal, {
      command: approvePayment,
      input: {
        transactionId,
        isUnanswered: await services.isQuestionUnanswered(platformId, transactionId),
        receiverCustomerInfo: body?.receiverCustomerInfo ?? {},
      },
      toAnswer: (transaction) => ({ status: 200, body: transactionJson(transaction, platformId) }),
      idempotency,
    });
  },
});

const rejectTransaction = defineOperation({
  id: "rejectTransaction",
  ...route("POST /transactions/{transactionId}/reject", "TRANSACT", "payments.approve"),
  tag: "Transactions",
  summary: "Reject an incoming payment",
  description:
    "Turns away an incoming payment that the platform was asked about. " +
    "Once the webhook that asks was answered with 202, and within five seconds of it.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({
    reason: Type.Optional(Type.String({ ...sensitive, minLength: 1, maxLength: LONGEST_REASON })),
  }),
  bodyOptional: true,
  requestExample: { reason: "RESTRICTED_JURISDICTION" },
  answers: {
    200: {
      description: "The transaction.",
      schema: TransactionSchema,
      example: { ...incomingTransactionExample, status: "REJECTED" },
    },
  },
  events: ["INCOMING_PAYMENT.FAILED"],
  refusals: ["INVALID_INPUT", "TRANSACTION_NOT_FOUND", "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL"],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { platformId } = principal;
    const transactionId = requireId("Transaction", params.transactionId, "TRANSACTION_NOT_FOUND");
    return submitForCaller(services.engine, principal, {
      command: rejectPayment,
      input: {
        transactionId,
        isUnanswered: await services.isQuestionUnanswered(platformId, transactionId),
        reason: body?.reason ?? null,
      },
      toAnswer: (transaction) => ({ status: 200, body: transactionJson(transaction, platformId) }),
      idempotency,
    });
  },
});

const refundTransaction = defineOperation({
  id: "refundTransaction",
  ...route("POST /transactions/{transactionId}/refund", "TRANSACT", "payments.create"),
  tag: "Transactions",
  summary: "Refund an incoming payment",
  description:
    "Gives a COMPLETED incoming payment back to where it came from, whole or in part, by a new OUTGOING transaction. Refunds of one " +
    "payment together never exceed what was received. A book transfer is refunded at once; a transfer in by a payout to " +
    "the same external account, which can fail like any payout; in a sandbox it fails to an account that ends in 007. The payment shows `refundedAmount` and `refundPendingAmount`, " +
    "and is REFUNDED when all of it was given back. Payments from UMA addresses carry no refund; pay the sender with a quote.",
  params: Type.Object({ transactionId: pathId("Transaction") }),
  body: Type.Object({
    amount: Type.Optional(
      requestAmount({ description: "All that was not refunded yet, when absent." }),
    ),
    reason: Type.Enum([...incomingRefundReasons]),
    note: descriptionField,
  }),
  requestExample: { amount: 2500, reason: "REQUESTED_BY_PAYER", note: "Order 1042 was cancelled" },
  answers: {
    201: {
      description: "The refund's own transaction.",
      schema: TransactionSchema,
      example: refundTransactionExample,
    },
  },
  dryRun: transactionDryRun,
  events: [
    "INCOMING_PAYMENT.REFUND_PENDING",
    "INCOMING_PAYMENT.REFUND_COMPLETED",
    "INCOMING_PAYMENT.REFUND_FAILED",
    "INCOMING_PAYMENT.COMPLETED",
    ...payoutEvents,
  ],
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "USER_NOT_READY",
    "CONFLICT",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "TRANSACTION_NOT_FOUND",
    "REFERENCE_NOT_FOUND",
    "NOT_IMPLEMENTED",
  ],
  handle: ({ principal, params, body, idempotency }, services: Services) => {
    const content = { ...body, ...params };
    return submitOrder(services, principal, {
      order: refundOrder,
      content,
      input: refundInput(content, services),
      toAnswer: (transaction) => ({
        status: 201,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    });
  },
});

export const transactionOperations = [
  listTransactions,
  getTransaction,
  updateTransaction,
  getTransactionTimeline,
  approveTransaction,
  rejectTransaction,
  refundTransaction,
];
