import Type from "typebox";
import { deleteExternalAccount } from "../../../domain/external-accounts/delete-external-account.ts";
import { requireId } from "../../ids.ts";
import { defineOperation } from "../../operation.ts";
import type { Services } from "../../services.ts";

export const deleteCustomerExternalAccount = defineOperation({
  id: "deleteCustomerExternalAccount",
  method: "DELETE",
  path: "/customers/external-accounts/{externalAccountId}",
  access: "MANAGE",
  tag: "External accounts",
  summary: "Delete a customer's external account",
  description: "Payments that are already under way to it go on.",
  params: Type.Object({ externalAccountId: Type.String() }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, { engine }: Services) =>
    engine.submit({
      platformId: principal.platformId,
      actor: { kind: "token", id: principal.tokenId },
      command: deleteExternalAccount,
      input: {
        accountId: requireId("ExternalAccount", params.externalAccountId, "REFERENCE_NOT_FOUND"),
        owner: "customer",
      },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});
