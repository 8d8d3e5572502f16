import Type from "typebox";
import { currencyParameter, when } from "../../../request/filters.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import {
  externalAccountsAnswer,
  externalAccountsWhere,
} from "../../accounts/external/account-list.ts";
import { answerOwnList } from "./own-list.ts";

export const agentListExternalAccounts = defineOperation({
  id: "agentListExternalAccounts",
  method: "GET",
  path: "/agents/me/external-accounts",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "List external accounts of your customer",
  query: Type.Object({ currency: currencyParameter, ...pageParameters }),
  answers: { 200: externalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListExternalAccounts",
      principal,
      query,
      ...externalAccountsWhere(services.reads, [
        { sql: "t.customer_id = ?::uuid", value: principal.customerId },
        when(query.currency, "t.currency = ?::text"),
      ]),
    }),
});
