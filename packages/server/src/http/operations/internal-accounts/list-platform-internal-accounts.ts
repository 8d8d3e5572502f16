import Type from "typebox";
import { listInternalAccounts } from "../../../domain/internal-accounts/internal-account.sql.ts";
import { internalAccountTypes } from "../../../domain/internal-accounts/internal-account.ts";
import { currencyFacet, OWNED_BY_PLATFORM, typeFacet } from "../../../tables/facets.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { listOf } from "../../../wire/shared.ts";
import { currencyParameter, whenFacet } from "../../request/filters.ts";
import { answerList } from "../../request/list.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listPlatformInternalAccounts = defineOperation({
  id: "listPlatformInternalAccounts",
  method: "GET",
  path: "/platform/internal-accounts",
  access: "VIEW",
  tag: "Internal accounts",
  summary: "List the platform's own internal accounts",
  query: Type.Object({
    currency: currencyParameter,
    type: Type.Optional(Type.Enum([...internalAccountTypes])),
    ...pageParameters,
    limit: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: "How many items a page holds at most.",
    }),
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
      operationId: "listPlatformInternalAccounts",
      principal,
      query,
      load: (page) =>
        listInternalAccounts(services.reads, {
          ...page,
          conditions: [
            OWNED_BY_PLATFORM,
            whenFacet(query.currency, currencyFacet),
            whenFacet(query.type, typeFacet),
          ],
        }),
      idOf: ({ account }) => account.id,
      toJson: internalAccountJson,
    }),
});
