import Type from "typebox";
import { listInternalAccounts } from "../../../domain/internal-accounts/internal-account.sql.ts";
import { internalAccountTypes } from "../../../domain/internal-accounts/internal-account.ts";
import { currencyFacet, OWNED_BY_CUSTOMERS, typeFacet } from "../../../tables/facets.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { customerIdParameter } from "../../../wire/id-fields.ts";
import { queryId } from "../../../wire/ids.ts";
import { listOf } from "../../../wire/shared.ts";
import { currencyParameter, when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

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
            OWNED_BY_CUSTOMERS,
            whenFacet(query.currency, currencyFacet),
            when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
            whenFacet(query.type, typeFacet),
          ],
        }),
      idOf: ({ account }) => account.id,
      toJson: internalAccountJson,
    }),
});
