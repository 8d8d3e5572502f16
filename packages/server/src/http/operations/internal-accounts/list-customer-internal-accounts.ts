import Type from "typebox";
import { listInternalAccounts } from "../../../domain/internal-accounts/internal-account.sql.ts";
import { currencyParameter, OF_CUSTOMERS, when, whenFacet } from "../../filters.ts";
import { queryId } from "../../ids.ts";
import { answerList } from "../../list.ts";
import { defineOperation } from "../../operation.ts";
import { pageParameters } from "../../paging.ts";
import type { Services } from "../../services.ts";
import { customerIdParameter } from "../../wire/id-fields.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
  internalAccountTypes,
} from "../../wire/internal-account.ts";
import { listOf } from "../../wire/shared.ts";

export const listCustomerInternalAccounts = defineOperation({
  id: "listCustomerInternalAccounts",
  method: "GET",
  path: "/customers/internal-accounts",
  access: "VIEW",
  tag: "Internal accounts",
  summary: "List the internal accounts of customers",
  query: Type.Object({
    currency: currencyParameter,
    customerId: customerIdParameter(),
    type: Type.Optional(Type.Enum([...internalAccountTypes])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(InternalAccountSchema),
      example: { data: [internalAccountExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomerInternalAccounts",
      principal,
      query,
      load: (page) =>
        listInternalAccounts(services.reads, {
          ...page,
          conditions: [
            OF_CUSTOMERS,
            whenFacet(query.currency, "currency", "t.currency = ?::text"),
            when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
            whenFacet(query.type, "type", "t.type = ?::text"),
          ],
        }),
      idOf: ({ account }) => account.id,
      toJson: internalAccountJson,
    }),
});
