import Type from "typebox";
import { deleteExternalAccount } from "../../../../domain/accounts/external/delete-external-account.ts";
import { asAgent } from "../../../../domain/agents/actions/as-agent.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

const command = asAgent(deleteExternalAccount, "MANAGE_EXTERNAL_ACCOUNTS");

export const agentDeleteExternalAccount = defineOperation({
  id: "agentDeleteExternalAccount",
  method: "DELETE",
  path: "/agents/me/external-accounts/{externalAccountId}",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "Delete an external account of your customer",
  description: "Payments that are already under way to it go on.",
  params: Type.Object({ externalAccountId: pathId("ExternalAccount") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { engine }: Services) {
    const { agentId, customerId } = principal;
    const accountId = requireId("ExternalAccount", params.externalAccountId, "REFERENCE_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command,
      input: { agentId, input: { accountId, owner: { customerId } } },
      toAnswer: () => ({ status: 204, body: "" }),
    });
  },
});
