import Type from "typebox";
import type { Condition } from "../../../../tables/list-query.ts";
import { parseId } from "../../../../wire/ids.ts";
import { currencyParameter, when } from "../../../request/filters.ts";
import { type AgentPrincipal, defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import {
  accountTypeParameter,
  internalAccountsAnswer,
  internalAccountsWhere,
} from "../../accounts/internal/account-list.ts";
import { answerOwnList } from "./own-list.ts";

export const agentListInternalAccounts = defineOperation({
  id: "agentListInternalAccounts",
  method: "GET",
  path: "/agents/me/internal-accounts",
  access: "AGENT",
  agentPermission: "VIEW_TRANSACTIONS",
  tag: "For agents",
  summary: "List your internal accounts",
  description: "The accounts that you may use, with their balances.",
  query: Type.Object({
    currency: currencyParameter,
    type: accountTypeParameter,
    ...pageParameters,
  }),
  answers: { 200: internalAccountsAnswer },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerOwnList(services, {
      operationId: "agentListInternalAccounts",
      principal,
      query,
      ...internalAccountsWhere(services, principal, [
        { sql: "t.customer_id = ?::uuid", value: principal.customerId },
        allowedCondition(principal),
        when(query.currency, "t.currency = ?::text"),
        when(query.type, "t.type = ?::text"),
      ]),
    }),
});

/** Hides accounts that the policy does not allow. */
function allowedCondition({ policy }: AgentPrincipal): Condition | undefined {
  const allowed = policy.accountRestrictions?.allowedAccountIds ?? null;
  if (allowed === null) return undefined;
  const ids = allowed.map((id) => parseId("InternalAccount", id)).filter((id) => id !== undefined);
  return { sql: "t.id = any(?::uuid[])", value: ids };
}
