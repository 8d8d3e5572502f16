import Type from "typebox";
import { currencyFacet, OWNED_BY_PLATFORM } from "../../../../tables/facets.ts";
import { currencyParameter, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { externalAccountsAnswer, externalAccountsWhere } from "./account-list.ts";

export const listPlatformExternalAccounts = defineOperation({
  id: "listPlatformExternalAccounts",
  method: "GET",
  path: "/platform/external-accounts",
  access: "VIEW",
  capability: "accounts.read",
  tag: "External accounts",
  summary: "List platform external accounts",
  query: Type.Object({
    currency: currencyParameter,
    ...pageParameters,
  }),
  answers: { 200: externalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listPlatformExternalAccounts",
      principal,
      query,
      ...externalAccountsWhere(services.reads, [
        OWNED_BY_PLATFORM,
        whenFacet(query.currency, currencyFacet),
      ]),
    }),
});
