import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { deleteAccount, deleteFacts } from "./delete-account.ts";

export const deletePlatformExternalAccount = defineOperation({
  ...deleteFacts,
  id: "deletePlatformExternalAccount",
  path: "/platform/external-accounts/{externalAccountId}",
  summary: "Delete a platform external account",
  handle: ({ principal, params }, services: Services) =>
    deleteAccount(services, { principal, rawId: params.externalAccountId, owner: "platform" }),
});
