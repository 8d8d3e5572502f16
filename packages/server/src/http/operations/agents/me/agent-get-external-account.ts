import Type from "typebox";
import {
  ExternalAccountSchema,
  externalAccountExample,
} from "../../../../wire/accounts/external-account.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { getAccount } from "../../accounts/external/get-account.ts";

export const agentGetExternalAccount = defineOperation({
  id: "agentGetExternalAccount",
  method: "GET",
  path: "/agents/me/external-accounts/{externalAccountId}",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "Get an external account of your customer",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: {
    200: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, services: Services) => {
    const owner = { customerId: principal.customerId };
    return getAccount(services, { principal, rawId: params.externalAccountId, owner });
  },
});
