import Type from "typebox";
import { currencyFacet, OWNED_BY_PLATFORM, typeFacet } from "../../../../tables/facets.ts";
import { currencyParameter, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import {
  accountTypeParameter,
  internalAccountsAnswer,
  internalAccountsWhere,
} from "./account-list.ts";

export const listPlatformInternalAccounts = defineOperation({
  id: "listPlatformInternalAccounts",
  method: "GET",
  path: "/platform/internal-accounts",
  access: "VIEW",
  capability: "accounts.read",
  tag: "Internal accounts",
  summary: "List platform internal accounts",
  query: Type.Object({
    currency: currencyParameter,
    type: accountTypeParameter,
    ...pageParameters,
    limit: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: "How many items a page holds at most.",
    }),
  }),
  answers: { 200: internalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listPlatformInternalAccounts",
      principal,
      query,
      ...internalAccountsWhere(services, principal, [
        OWNED_BY_PLATFORM,
        whenFacet(query.currency, currencyFacet),
        whenFacet(query.type, typeFacet),
      ]),
    }),
});
