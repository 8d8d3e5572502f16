import Type from "typebox";
import { listWithStatus } from "../../../domain/uma/policy/uma-counterparty.sql.ts";
import { DEFAULT_UMA_POLICY, findUmaPolicy } from "../../../domain/uma/policy/uma-policy.ts";
import {
  listUmaProviders as loadUmaProviders,
  type ProviderSettings,
} from "../../../domain/uma/uma-provider.ts";
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
  description:
    "Institutions that are generally known to have UMA addresses, and the counterparties with the status `ALLOWED`.",
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
        loadUmaProviders(
          {
            countryCode: query.countryCode,
            currencyCode: query.currencyCode,
            order: query.sortOrder ?? "desc",
            after,
            limit,
            withBlocked: query.hasBlockedProviders ?? true,
          },
          await settingsOf(services, principal.platformId),
        ),
      idOf: ({ domain }) => domain,
      toJson: umaProviderJson,
    }),
});

async function settingsOf({ reads }: Services, platformId: string): Promise<ProviderSettings> {
  const [policy, counterparties] = await Promise.all([
    findUmaPolicy(reads, platformId),
    listWithStatus(reads, platformId),
  ]);
  return { policy: policy ?? DEFAULT_UMA_POLICY, counterparties };
}
