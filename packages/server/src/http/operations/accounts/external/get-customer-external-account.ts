import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { getAccount, getFacts } from "./get-account.ts";

export const getCustomerExternalAccount = defineOperation({
  ...getFacts,
  id: "getCustomerExternalAccount",
  path: "/customers/external-accounts/{externalAccountId}",
  summary: "Get a customer external account",
  handle: ({ principal, params }, services: Services) =>
    getAccount(services, { principal, rawId: params.externalAccountId, owner: "customer" }),
});
