import Type from "typebox";
import { listExternalAccounts } from "../../../domain/external-accounts/external-account.sql.ts";
import { currencyFacet, OWNED_BY_PLATFORM } from "../../../tables/facets.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../wire/accounts/external-account.ts";
import { listOf } from "../../../wire/shared.ts";
import { currencyParameter, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listPlatformExternalAccounts = defineOperation({
  id: "listPlatformExternalAccounts",
  method: "GET",
  path: "/platform/external-accounts",
  access: "VIEW",
  tag: "External accounts",
  summary: "List the external accounts of the platform",
  query: Type.Object({
    currency: currencyParameter,
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
      operationId: "listPlatformExternalAccounts",
      principal,
      query,
      load: (page) =>
        listExternalAccounts(services.reads, {
          ...page,
          conditions: [OWNED_BY_PLATFORM, whenFacet(query.currency, currencyFacet)],
        }),
      idOf: (account) => account.id,
      toJson: externalAccountJson,
    }),
});
