import Type, { type Static } from "typebox";
import { toPlatformConfigId } from "../../../domain/platforms/platform.ts";
import { listTransactions as list } from "../../../domain/transactions/transaction.sql.ts";
import { invalidField } from "../../../engine/refusal.ts";
import type { Condition } from "../../../storage/list-query.ts";
import { when } from "../../filters.ts";
import { parseId } from "../../ids.ts";
import { answerList } from "../../list.ts";
import { defineOperation } from "../../operation.ts";
import { pageParameters } from "../../paging.ts";
import type { Services } from "../../services.ts";
import { ownerField } from "../../wire/id-fields.ts";
import { listOf } from "../../wire/shared.ts";
import { TransactionSchema, transactionExample, transactionJson } from "../../wire/transaction.ts";
import { transactionConditions, transactionFilters } from "./transaction-filters.ts";

const Query = Type.Object({
  customerId: Type.Optional(
    ownerField("A customer, or the platform's own id for its own transactions."),
  ),
  platformCustomerId: Type.Optional(Type.String({ maxLength: 255 })),
  ...transactionFilters,
  ...pageParameters,
});

export const listTransactions = defineOperation({
  id: "listTransactions",
  method: "GET",
  path: "/transactions",
  access: "VIEW",
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
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: conditionsOf(query, principal.platformId),
          order: query.sortOrder,
        }),
      idOf: (transaction) => transaction.id,
      toJson: (transaction) => transactionJson(transaction, principal.platformId),
    }),
});

export function conditionsOf(
  query: Static<typeof Query>,
  platformId: string,
): readonly (Condition | undefined)[] {
  return [
    ownerCondition(query.customerId, platformId),
    platformCustomerCondition(query.platformCustomerId, platformId),
    ...transactionConditions(query),
  ];
}

/** Refuses the id of another platform. */
function ownerCondition(customerId: string | undefined, platformId: string): Condition | undefined {
  if (customerId === undefined) return undefined;
  if (customerId === toPlatformConfigId(platformId)) return { sql: "t.customer_id is null" };
  const id = parseId("Customer", customerId);
  if (id === undefined) throw invalidField("customerId", "must be a Customer id");
  return { sql: "t.customer_id = ?::uuid", value: id };
}

/**
 * A customer keeps this id for good, so its transactions are found as the customer's. After a customer is deleted another
 * one may have the same; the platform's own transactions have the platform's.
 */
function platformCustomerCondition(
  value: string | undefined,
  platformId: string,
): Condition | undefined {
  const customers = "select c.id from customers c where c.platform_id = $1::uuid";
  const sql = [
    `t.customer_id = (${customers} and c.platform_customer_id = ?::text and c.deleted_at is null)`,
    `t.customer_id in (${customers} and c.platform_customer_id = ?::text and c.deleted_at is not null)`,
  ];
  const own = "t.customer_id is null and t.platform_customer_id = ?::text";
  return when(value, value === platformId ? [...sql, own] : sql);
}
