import Type from "typebox";
import { listExternalAccounts } from "../../../domain/external-accounts/external-account.sql.ts";
import { currencyFacet, OWNED_BY_CUSTOMERS } from "../../../tables/facets.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../wire/accounts/external-account.ts";
import { customerIdParameter } from "../../../wire/id-fields.ts";
import { queryId } from "../../../wire/ids.ts";
import { listOf } from "../../../wire/shared.ts";
import { currencyParameter, when, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listCustomerExternalAccounts = defineOperation({
  id: "listCustomerExternalAccounts",
  method: "GET",
  path: "/customers/external-accounts",
  access: "VIEW",
  tag: "External accounts",
  summary: "List the external accounts of customers",
  query: Type.Object({
    currency: currencyParameter,
    customerId: customerIdParameter(),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(ExternalAccountSchema),
      example: { data: [externalAccountExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomerExternalAccounts",
      principal,
      query,
      load: (page) =>
        listExternalAccounts(services.reads, {
          ...page,
          conditions: [
            OWNED_BY_CUSTOMERS,
            whenFacet(query.currency, currencyFacet),
            when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
          ],
        }),
      idOf: (account) => account.id,
      toJson: externalAccountJson,
    }),
});
