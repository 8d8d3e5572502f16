import Type from "typebox";
import { currencyFacet, OWNED_BY_CUSTOMERS } from "../../../../tables/facets.ts";
import { customerIdParameter } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { currencyParameter, when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { externalAccountsAnswer, externalAccountsWhere } from "./account-list.ts";

export const listCustomerExternalAccounts = defineOperation({
  id: "listCustomerExternalAccounts",
  method: "GET",
  path: "/customers/external-accounts",
  access: "VIEW",
  capability: "accounts.read",
  tag: "External accounts",
  summary: "List customer external accounts",
  query: Type.Object({
    currency: currencyParameter,
    customerId: customerIdParameter(),
    ...pageParameters,
  }),
  answers: { 200: externalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomerExternalAccounts",
      principal,
      query,
      ...externalAccountsWhere(services.reads, [
        OWNED_BY_CUSTOMERS,
        whenFacet(query.currency, currencyFacet),
        when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
      ]),
    }),
});
