import Type, { type Static } from "typebox";
import { listTransactions as list } from "../../../domain/transactions/transaction.sql.ts";
import { transactionStatuses } from "../../../domain/transactions/transaction.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import type { Condition } from "../../../storage/list-query.ts";
import { when } from "../../filters.ts";
import { parseId, queryId } from "../../ids.ts";
import { answerList } from "../../list.ts";
import { defineOperation } from "../../operation.ts";
import { pageParameters } from "../../paging.ts";
import type { Services } from "../../services.ts";
import { dateTimeParameter, listOf } from "../../wire/shared.ts";
import { TransactionSchema, transactionExample, transactionJson } from "../../wire/transaction.ts";

const identifier = (which: string) =>
  Type.Optional(
    Type.String({ maxLength: 320, description: `An account id or UMA address: ${which}.` }),
  );

const Query = Type.Object({
  customerId: Type.Optional(
    Type.String({ description: "A customer, or the platform's own id for its own transactions." }),
  ),
  platformCustomerId: Type.Optional(Type.String({ maxLength: 255 })),
  accountIdentifier: identifier("either side"),
  senderAccountIdentifier: identifier("the sender"),
  receiverAccountIdentifier: identifier("the receiver"),
  status: Type.Optional(Type.Enum([...transactionStatuses])),
  type: Type.Optional(Type.Enum(["INCOMING", "OUTGOING"])),
  reference: Type.Optional(Type.String({ maxLength: 255 })),
  startDate: dateTimeParameter("Created at this time or later."),
  endDate: dateTimeParameter("Created at this time or earlier."),
  sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
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

function conditionsOf(
  query: Static<typeof Query>,
  platformId: string,
): readonly (Condition | undefined)[] {
  return [
    ownerCondition(query.customerId, platformId),
    when(query.platformCustomerId, "t.platform_customer_id = ?::text"),
    partyCondition("accountIdentifier", query.accountIdentifier, ["source", "destination"]),
    partyCondition("senderAccountIdentifier", query.senderAccountIdentifier, ["source"]),
    partyCondition("receiverAccountIdentifier", query.receiverAccountIdentifier, ["destination"]),
    when(query.status, "t.status = ?::text"),
    when(query.type, "t.type = ?::text"),
    when(query.reference, "t.reference = ?::text"),
    when(query.startDate, "t.created_at >= ?::timestamptz"),
    when(query.endDate, "t.created_at <= ?::timestamptz"),
  ];
}

function ownerCondition(customerId: string | undefined, platformId: string): Condition | undefined {
  if (customerId === undefined) return undefined;
  if (customerId === `PlatformConfig:${platformId}`) return { sql: "t.customer_id is null" };
  return when(queryId("Customer", customerId, "customerId"), "t.customer_id = ?::uuid");
}

type Side = "source" | "destination";

function partyCondition(
  field: string,
  value: string | undefined,
  sides: readonly Side[],
): Condition | undefined {
  if (value === undefined) return undefined;
  if (value.startsWith("$")) {
    const clauses = sides.map((side) => `t.${side} ->> 'umaAddress' = ?::text`);
    return { sql: `(${clauses.join(" or ")})`, value: value.toLowerCase() };
  }
  const id = parseId("InternalAccount", value) ?? parseId("ExternalAccount", value);
  if (id === undefined)
    throw invalidFields([{ field, message: "must be an account id or a UMA address" }]);
  return {
    sql: `(${sides.map((side) => `t.${side}_account_id = ?::uuid`).join(" or ")})`,
    value: id,
  };
}
