import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { deleteAccount, deleteFacts } from "./delete-account.ts";

export const deleteCustomerExternalAccount = defineOperation({
  ...deleteFacts,
  id: "deleteCustomerExternalAccount",
  path: "/customers/external-accounts/{externalAccountId}",
  summary: "Delete a customer external account",
  handle: ({ principal, params }, services: Services) =>
    deleteAccount(services, { principal, rawId: params.externalAccountId, owner: "customer" }),
});
