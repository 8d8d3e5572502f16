import Type, { type Static } from "typebox";
import { findCustomersNamed } from "../../../../domain/customers/customer.sql.ts";
import { failureCodes } from "../../../../domain/payments/transactions/failure.ts";
import { listTransactions as list } from "../../../../domain/payments/transactions/transaction.sql.ts";
import type { Reads } from "../../../../postgres/database.ts";
import type { Condition } from "../../../../tables/list-query.ts";
import { listOf } from "../../../../wire/fields.ts";
import { ownerField } from "../../../../wire/id-fields.ts";
import {
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { when, whenOwner } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import {
  transactionConditions,
  transactionFilters,
  transactionOrder,
} from "./transaction-filters.ts";

/** Without the order of the list. */
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
};

const Filters = Type.Object(listedTransactionFilters);

const Query = Type.Object({ ...listedTransactionFilters, ...transactionOrder, ...pageParameters });

export const listTransactions = defineOperation({
  id: "listTransactions",
  method: "GET",
  path: "/transactions",
  access: "VIEW",
  capability: "payments.read",
  tag: "Transactions",
  summary: "List transactions",
  query: Query,
  answers: {
    200: {
      description: "Newest first, unless `sortOrder` says otherwise.",
      schema: listOf(TransactionSchema),
      example: { data: [transactionExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listTransactions",
      principal,
      query,
      load: async (page) =>
        list(services.reads, {
          ...page,
          conditions: await conditionsOf(services.reads, query, principal.platformId),
          order: query.sortOrder,
        }),
      idOf: (transaction) => transaction.id,
      toJson: (transaction) => transactionJson(transaction, principal.platformId),
    }),
});

export async function conditionsOf(
  reads: Reads,
  query: Static<typeof Filters>,
  platformId: string,
): Promise<readonly (Condition | undefined)[]> {
  return [
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
  const others = [query.platformCustomerId, query.reference, query.failureCode];
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
