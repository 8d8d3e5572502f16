import Type from "typebox";
import { listExternalAccounts } from "../../../domain/external-accounts/external-account.sql.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../wire/accounts/external-account.ts";
import { listOf } from "../../../wire/shared.ts";
import { currencyParameter, when } from "../../request/filters.ts";
import { defineOperation } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import type { Services } from "../../request/services.ts";
import { answerOwnList } from "./own-list.ts";

export const agentListExternalAccounts = defineOperation({
  id: "agentListExternalAccounts",
  method: "GET",
  path: "/agents/me/external-accounts",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "List the external accounts of your customer",
  query: Type.Object({ currency: currencyParameter, ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(ExternalAccountSchema),
      example: { data: [externalAccountExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListExternalAccounts",
      principal,
      query,
      load: (page) =>
        listExternalAccounts(services.reads, {
          ...page,
          conditions: [
            { sql: "t.customer_id = ?::uuid", value: principal.customerId },
            when(query.currency, "t.currency = ?::text"),
          ],
        }),
      idOf: (account) => account.id,
      toJson: externalAccountJson,
    }),
});
