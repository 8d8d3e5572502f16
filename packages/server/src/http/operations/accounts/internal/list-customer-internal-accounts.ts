import Type from "typebox";
import { currencyFacet, OWNED_BY_CUSTOMERS, typeFacet } from "../../../../tables/facets.ts";
import { customerIdParameter } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { currencyParameter, when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import {
  accountTypeParameter,
  internalAccountsAnswer,
  internalAccountsWhere,
} from "./account-list.ts";

export const listCustomerInternalAccounts = defineOperation({
  id: "listCustomerInternalAccounts",
  method: "GET",
  path: "/customers/internal-accounts",
  access: "VIEW",
  capability: "accounts.read",
  tag: "Internal accounts",
  summary: "List customer internal accounts",
  query: Type.Object({
    currency: currencyParameter,
    customerId: customerIdParameter(),
    type: accountTypeParameter,
    ...pageParameters,
  }),
  answers: { 200: internalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listCustomerInternalAccounts",
      principal,
      query,
      ...internalAccountsWhere(services, principal, [
        OWNED_BY_CUSTOMERS,
        whenFacet(query.currency, currencyFacet),
        when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
        whenFacet(query.type, typeFacet),
      ]),
    }),
});
