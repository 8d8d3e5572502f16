import Type from "typebox";
import { refusingAsAgent } from "../../../../domain/agents/actions/as-agent.ts";
import { createAgentExternalAccount as command } from "../../../../domain/agents/create-agent-external-account.ts";
import { toCustomerId } from "../../../../domain/customers/customer.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { externalAccountJson } from "../../../../wire/accounts/external-account.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitFound } from "../../../request/submit-found.ts";
import {
  accountFields,
  accountInputOf,
  createExample,
  createFacts,
} from "../../accounts/external/create-account.ts";

const permission = "MANAGE_EXTERNAL_ACCOUNTS";

export const agentCreateExternalAccount = defineOperation({
  ...createFacts,
  id: "agentCreateExternalAccount",
  path: "/agents/me/external-accounts",
  access: "AGENT",
  agentPermission: permission,
  tag: "For agents",
  summary: "Create an external account of your customer",
  description:
    "The account belongs to the agent's customer; `customerId`, where given, must be that one. Where the policy's payees are " +
    "`LISTED`, the new account is not in the list: the agent cannot pay it until the platform adds it. " +
    "`defaultUmaDepositAccount` is refused with 403 and the rule `PAYEE_NOT_ALLOWED` unless the policy lets the agent make transfers " +
    "from every account of its customer to any payee, and none of them waits for an approval.",
  body: Type.Object({
    ...accountFields,
    customerId: Type.Optional(Type.String()),
    defaultUmaDepositAccount: Type.Optional(Type.Boolean({ default: false })),
  }),
  requestExample: createExample,
  async handle({ principal, body, judged, idempotency }, { engine }: Services) {
    const { agentId } = principal;
    const customerId = toCustomerId(principal.customerId);
    const input = accountInputOf({ ...body, customerId }, judged);
    return submitFound(engine, principal, {
      command,
      find: async () => {
        if (body.customerId === undefined || body.customerId === customerId) {
          return { agentId, input };
        }
        requireIdField("Customer", { field: "customerId", raw: body.customerId }, "USER_NOT_FOUND");
        throw new Refusal("USER_NOT_FOUND");
      },
      refuse: refusingAsAgent(command.name, { agentId, permission }),
      toAnswer: (account) => ({ status: 201, body: externalAccountJson(account) }),
      idempotency,
    });
  },
});
