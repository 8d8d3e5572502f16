import Type from "typebox";
import { listTransactions } from "../../../../domain/payments/transactions/transaction.sql.ts";
import { listOf } from "../../../../wire/fields.ts";
import {
  TransactionSchema,
  transactionExample,
  transactionJson,
} from "../../../../wire/payments/transaction.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import {
  transactionConditions,
  transactionFilters,
  transactionOrder,
} from "../../payments/transactions/transaction-filters.ts";
import { answerOwnList } from "./own-list.ts";

export const agentListTransactions = defineOperation({
  id: "agentListTransactions",
  method: "GET",
  path: "/agents/me/transactions",
  access: "AGENT",
  agentPermission: "VIEW_TRANSACTIONS",
  tag: "For agents",
  summary: "List transactions of your customer",
  query: Type.Object({ ...transactionFilters, ...transactionOrder, ...pageParameters }),
  answers: {
    200: {
      description: "All of the customer's, newest first, unless `sortOrder` says otherwise.",
      schema: listOf(TransactionSchema),
      example: { data: [transactionExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListTransactions",
      principal,
      query,
      load: (page) =>
        listTransactions(services.reads, {
          ...page,
          conditions: [
            { sql: "t.customer_id = ?::uuid", value: principal.customerId },
            ...transactionConditions(query),
          ],
          order: query.sortOrder,
        }),
      idOf: (transaction) => transaction.id,
      toJson: (transaction) => transactionJson(transaction, principal.platformId),
    }),
});
