import Type from "typebox";
import { createAgentExternalAccount } from "../../../domain/agents/create-agent-external-account.ts";
import { toCustomerId } from "../../../domain/customers/customer.ts";
import { defineOperation } from "../../operation.ts";
import type { Services } from "../../services.ts";
import { externalAccountJson } from "../../wire/external-account.ts";
import {
  accountFields,
  accountInputOf,
  createExample,
  createFacts,
} from "../external-accounts/create-account.ts";

export const agentCreateExternalAccount = defineOperation({
  ...createFacts,
  id: "agentCreateExternalAccount",
  path: "/agents/me/external-accounts",
  access: "AGENT",
  agentPermission: "MANAGE_EXTERNAL_ACCOUNTS",
  tag: "For agents",
  summary: "Add an external account of your customer",
  description:
    "The account belongs to the agent's customer; `customerId`, where given, must be that one.",
  body: Type.Object({
    ...accountFields,
    customerId: Type.Optional(Type.String()),
    defaultUmaDepositAccount: Type.Optional(Type.Boolean({ default: false })),
  }),
  requestExample: createExample,
  async handle({ principal, body, judged, idempotency }, { engine }: Services) {
    const { platformId, agentId } = principal;
    const customerId = toCustomerId(principal.customerId);
    const account = accountInputOf({ ...body, customerId }, judged);
    return engine.submit({
      platformId,
      actor: { kind: "agent", id: agentId },
      command: createAgentExternalAccount,
      input: { agentId, namedCustomerId: body.customerId, account },
      toAnswer: (made) => ({ status: 201, body: externalAccountJson(made) }),
      idempotency,
    });
  },
});
