import Type from "typebox";
import { ratesOf } from "../../../domain/agents/actions/rate-of.ts";
import { findAgent } from "../../../domain/agents/agent.sql.ts";
import { changeFaults } from "../../../domain/agents/agent-policy.ts";
import { changedPolicy } from "../../../domain/agents/changed-policy.ts";
import { refuseForeignAccounts } from "../../../domain/agents/policy-accounts.ts";
import { comparePolicies } from "../../../domain/agents/preview/compare-policies.ts";
import { findOwnAccounts, findPastOrders } from "../../../domain/agents/preview/past-orders.sql.ts";
import { widenedBy } from "../../../domain/agents/widened-policy.ts";
import { updatePolicyOrder } from "../../../domain/people/approvals/held-agents.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { wireAgent } from "../../../wire/agents/agent.ts";
import {
  knownChanges,
  PolicyChangesSchema,
  policyClaims,
} from "../../../wire/agents/agent-policy.ts";
import {
  PolicyPreviewSchema,
  policyPreviewExample,
  policyPreviewJson,
} from "../../../wire/agents/policy-preview.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { shown } from "../../request/noun.ts";
import { defineOperation, isPerson, route } from "../../request/operation.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";
import { policyContent, requireAgentId, requireChanges } from "./held-agents.ts";

const updateAgentPolicy = defineOperation({
  id: "updateAgentPolicy",
  ...route("PATCH /agents/{agentId}/policy", "MANAGE", "agents.write"),
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
    200: shown(wireAgent, "The agent as it is now."),
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
      toAnswer: ({ agent, at }) => ({ status: 200, body: wireAgent.json(agent, at) }),
    });
  },
});

const REPLAYED_MS = 30 * 24 * 60 * 60 * 1000;

const previewAgentPolicy = defineOperation({
  id: "previewAgentPolicy",
  ...route("POST /agents/{agentId}/policy/preview", "VIEW", "agents.read"),
  ignoresKey: true,
  tag: "Agents",
  summary: "Preview a change of an agent policy",
  description:
    "Takes what `updateAgentPolicy` takes, and changes nothing. Answers the policy as it would be, and which of the agent's " +
    "orders of the last 30 days the two policies judge differently. Both judge the orders in their sequence, and an order that a policy " +
    "refuses counts nothing for its later limits. Balances, freezes and pauses of that time are not replayed, rates are those of today, " +
    "and orders that were refused when they were submitted are not stored and so not judged.",
  params: Type.Object({ agentId: pathId("Agent") }),
  body: PolicyChangesSchema,
  requestExample: { spendingLimits: { dailyLimit: 100000, monthlyLimit: null } },
  answers: {
    200: {
      description: "What the change would do.",
      schema: PolicyPreviewSchema,
      example: policyPreviewExample,
    },
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
  async handle({ principal: { platformId, environment }, params, body }, services: Services) {
    const changes = requireChanges(knownChanges(body));
    const agentId = requireAgentId(params.agentId);
    const { reads } = services;
    const [agent, at] = await Promise.all([
      findAgent(reads, platformId, agentId),
      platformTime(services, platformId),
    ]);
    if (agent === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { policy: before, customerId } = agent;
    const rateOf = ratesOf(environment);
    const { policy } = changedPolicy(before, changes, () => rateOf);
    const own = await findOwnAccounts(reads, { platformId, customerId }, policy);
    refuseForeignAccounts(own, { policy, before });

    const since = at - REPLAYED_MS;
    const past = await findPastOrders(reads, { platformId, agentId }, startOfMonth(since));
    const differences = comparePolicies(past.orders, { before, after: policy }, { rateOf, since });
    const answer = policyPreviewJson({
      policy,
      widens: widenedBy(before, policy),
      since,
      ordersJudged: past.orders.filter(({ action }) => action.createdAt >= since).length,
      isTruncated: past.isTruncated,
      differences,
    });
    return { status: 200, body: answer };
  },
});

/** The limit of a month counts from its first day. */
function startOfMonth(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
}

export const agentPolicyOperations = [updateAgentPolicy, previewAgentPolicy];
