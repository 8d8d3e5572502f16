import Type from "typebox";
import { defineOperation } from "../../operation.ts";
import type { Services } from "../../services.ts";
import { ExternalAccountSchema, externalAccountExample } from "../../wire/external-account.ts";
import { getAccount } from "./get-account.ts";

export const getPlatformExternalAccount = defineOperation({
  id: "getPlatformExternalAccount",
  method: "GET",
  path: "/platform/external-accounts/{externalAccountId}",
  access: "VIEW",
  tag: "External accounts",
  summary: "Read the platform's own external account",
  params: Type.Object({ externalAccountId: Type.String() }),
  answers: {
    200: {
      description: "The account.",
      schema: ExternalAccountSchema,
      example: externalAccountExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: ({ principal, params }, services: Services) =>
    getAccount(services, { principal, rawId: params.externalAccountId, owner: "platform" }),
});
