import Type from "typebox";
import { changeFaults } from "../../../domain/agents/agent-policy.ts";
import { updatePolicyOrder } from "../../../domain/people/approvals/held-agents.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { AgentSchema, agentExample, agentJson } from "../../../wire/agents/agent.ts";
import {
  knownChanges,
  PolicyChangesSchema,
  policyClaims,
} from "../../../wire/agents/agent-policy.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { defineOperation, isPerson } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { policyContent, requireAgentId, requireChanges } from "./held-agents.ts";

export const updateAgentPolicy = defineOperation({
  id: "updateAgentPolicy",
  method: "PATCH",
  path: "/agents/{agentId}/policy",
  access: "MANAGE",
  capability: "agents.write",
  tag: "Agents",
  summary: "Update an agent policy",
  description:
    "Takes effect at once, for what is submitted from now on and for what is approved from now on. `permissions` replaces " +
    "the whole list; everything else is merged member by member, so `accountRestrictions.payees` replaces both of its lists. " +
    "Another `spendingLimits.currency` converts the limits that " +
    "are not given with it, and the usage.",
  params: Type.Object({ agentId: pathId("Agent") }),
  body: PolicyChangesSchema,
  requestExample: { spendingLimits: { dailyLimit: 100000, monthlyLimit: null } },
  answers: {
    200: { description: "The agent as it is now.", schema: AgentSchema, example: agentExample },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "INVALID_UMA_ADDRESS",
    "REFERENCE_NOT_FOUND",
  ],
  judge: (changes) => ({
    ...judgementOf([]),
    furtherFaults: () => changeFaults(policyClaims(changes)).map(({ error }) => error),
  }),
  async handle({ principal, params, body }, services: Services) {
    const changes = requireChanges(knownChanges(body));
    const input = { agentId: requireAgentId(params.agentId), changes };
    return submitOrder(services, principal, {
      order: updatePolicyOrder,
      content: isPerson(principal)
        ? await policyContent(services, principal.platformId, input)
        : {},
      input,
      toAnswer: ({ agent, at }) => ({ status: 200, body: agentJson(agent, at) }),
    });
  },
});
