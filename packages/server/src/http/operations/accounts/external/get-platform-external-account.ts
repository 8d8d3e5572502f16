import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { getAccount, getFacts } from "./get-account.ts";

export const getPlatformExternalAccount = defineOperation({
  ...getFacts,
  id: "getPlatformExternalAccount",
  path: "/platform/external-accounts/{externalAccountId}",
  summary: "Get a platform external account",
  handle: ({ principal, params }, services: Services) =>
    getAccount(services, { principal, rawId: params.externalAccountId, owner: "platform" }),
});
