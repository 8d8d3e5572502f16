import type { Command, World } from "../../engine/command.ts";
import { Refusal, refuseFaults } from "../../engine/refusal.ts";
import { type Ratio, scale } from "../../money/ratio.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { agentActions, pendingActionsOf } from "./actions/agent-action.ts";
import { rateNeeds, ratesIn } from "./actions/rate-of.ts";
import { usageAt } from "./actions/usage.ts";
import { type Agent, agents, getLiveAgent } from "./agent.ts";
import {
  type AgentPolicy,
  cappedFigure,
  convertLimits,
  convertRules,
  mergePolicy,
  type PolicyChanges,
  policyFaults,
} from "./agent-policy.ts";
import { policyAccountNeeds, refuseForeignAccounts } from "./policy-accounts.ts";
import type { AgentAt } from "./update-agent.ts";

export interface UpdatePolicyInput {
  readonly agentId: string;
  readonly changes: PolicyChanges;
}

/**
 * Changes an agent's policy. The new policy judges what the agent submits from now on, and the approval of actions that
 * wait. Another currency converts everything that is counted in it: the limits that were not given anew, the usage, and
 * what waiting actions have reserved. Refuses, in this order: an unknown agent; a policy that contradicts itself, names an
 * unknown currency or a malformed UMA address; a currency without a rate; an account that is not the customer's.
 */
export const updatePolicy: Command<UpdatePolicyInput, AgentAt> = {
  name: "update-agent-policy",
  needs: (world, { agentId, changes }) => {
    const refs: AnyRef[] = [agents.ref(agentId)];
    const agent = world.find(agents.ref(agentId));
    if (agent === undefined) return refs;
    refs.push(...policyAccountNeeds(agent.customerId, changes.accountRestrictions));
    if (changes.spendingLimits?.currency !== undefined)
      refs.push(pendingActionsOf.of(agentId), rateNeeds(world));
    return refs;
  },
  decide(world, { agentId, changes }) {
    const agent = getLiveAgent(world, agentId);
    refuseFaults(policyFaults(mergePolicy(agent.policy, changes)));
    const recast = recastOf(world, agent.policy, changes);
    const base = recast === undefined ? agent.policy : recastPolicy(agent.policy, recast);
    const policy = mergePolicy(base, changes);
    refuseForeignAccounts(world, {
      customerId: agent.customerId,
      policy,
      before: agent.policy,
    });

    const figures = recast === undefined ? agent : recastFigures(world, agent, recast);
    const updated = world.put(agents, { ...figures, policy, updatedAt: world.at });
    return { agent: updated, at: world.at };
  },
};

interface Recast {
  readonly currency: string;
  readonly rate: Ratio;
}

/** How to get from the old currency of the limits to a new one; undefined when it stays. */
function recastOf(
  world: World,
  policy: AgentPolicy,
  { spendingLimits }: PolicyChanges,
): Recast | undefined {
  const { currency: before } = policy.spendingLimits;
  const currency = spendingLimits?.currency;
  if (currency === undefined || currency === before) return undefined;
  const rate = ratesIn(world)(before, currency);
  if (rate === undefined) {
    const field = "spendingLimits.currency";
    const message = `${field}: there is no rate from ${before} to ${currency} to convert what was spent`;
    throw new Refusal("INVALID_CURRENCY", { field, currency }, message);
  }
  return { currency, rate };
}

function recastPolicy(policy: AgentPolicy, recast: Recast): AgentPolicy {
  const { accountRestrictions } = policy;
  const accountRules = convertRules(accountRestrictions?.accountRules, recast.rate);
  return {
    ...policy,
    spendingLimits: convertLimits(policy.spendingLimits, recast),
    ...(accountRules === undefined
      ? {}
      : { accountRestrictions: { ...accountRestrictions, accountRules } }),
  };
}

/** Usage is rounded up, and each waiting action is counted anew, so that what it gives back is what it took. */
function recastFigures(world: World, agent: Agent, { currency, rate }: Recast): Agent {
  const usage = usageAt(agent, world.at);
  let reservedMinor = 0n;
  for (const action of world.all(pendingActionsOf.of(agent.id))) {
    const countedMinor = figure(action.countedMinor, rate);
    reservedMinor += countedMinor;
    world.put(agentActions, { ...action, countedMinor, countedCurrency: currency });
  }
  return {
    ...agent,
    ...usage,
    usageDayMinor: figure(usage.usageDayMinor, rate),
    usageMonthMinor: figure(usage.usageMonthMinor, rate),
    reservedMinor,
  };
}

function figure(minor: bigint, rate: Ratio): bigint {
  return cappedFigure(scale(minor, rate, "up"));
}
