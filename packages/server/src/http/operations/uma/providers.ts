import Type from "typebox";
import { listUmaProviders as loadUmaProviders } from "../../../domain/uma/uma-provider.ts";
import { countryParameter, currencyCodeParameter } from "../../../wire/fields.ts";
import {
  UmaProviderSchema,
  umaProviderExample,
  umaProviderJson,
} from "../../../wire/uma/uma-provider.ts";
import { answerList } from "../../request/list.ts";
import { pageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";

export const listUmaProviders = defineOperation({
  id: "listUmaProviders",
  ...route("GET /uma-providers", "VIEW", "rates.read"),
  tag: "UMA providers",
  summary: "List UMA providers",
  query: Type.Object({
    countryCode: countryParameter("Providers that serve this country."),
    currencyCode: currencyCodeParameter("Providers that take this currency."),
    hasBlockedProviders: Type.Optional(
      Type.Boolean({ default: true, description: "False leaves blocked providers out." }),
    ),
    sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
    ...pageParameters,
  }),
  answers: {
    200: pageOf(
      { schema: UmaProviderSchema, example: umaProviderExample },
      "The last added first, unless `sortOrder` says otherwise.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listUmaProviders",
      principal,
      query,
      load: async ({ after, limit }) =>
        loadUmaProviders({
          countryCode: query.countryCode,
          currencyCode: query.currencyCode,
          order: query.sortOrder ?? "desc",
          after,
          limit,
        }),
      idOf: ({ domain }) => domain,
      toJson: umaProviderJson,
    }),
});
