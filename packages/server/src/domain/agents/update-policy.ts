import type { Command, World } from "../../engine/command.ts";
import { type Ratio, scale } from "../../money/ratio.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { agentActions, pendingActionsOf } from "./actions/agent-action.ts";
import { rateNeeds, ratesIn } from "./actions/rate-of.ts";
import { usageAt } from "./actions/usage.ts";
import { type Agent, agents, getLiveAgent } from "./agent.ts";
import { cappedFigure, type PolicyChanges } from "./agent-policy.ts";
import { type CurrencyChange, changedPolicy } from "./changed-policy.ts";
import { ownAccountsIn, policyAccountNeeds, refuseForeignAccounts } from "./policy-accounts.ts";
import type { AgentAt } from "./update-agent.ts";

export interface UpdatePolicyInput {
  readonly agentId: string;
  readonly changes: PolicyChanges;
}

/**
 * Changes an agent's policy. The new policy applies to later orders and to the approval of pending actions. A change of
 * currency converts the limits that were not sent, the usage, and the amounts that pending actions reserve. Refuses, in this
 * order: an unknown agent; a policy that contradicts itself, names an unknown currency or a malformed UMA address; a
 * currency without a rate; an account that is not the customer's.
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
    const { policy, currencyChange } = changedPolicy(agent.policy, changes, () => ratesIn(world));
    const own = ownAccountsIn(world, agent.customerId);
    refuseForeignAccounts(own, { policy, before: agent.policy });

    const figures =
      currencyChange === undefined ? agent : convertFigures(world, agent, currencyChange);
    const updated = world.put(agents, { ...figures, policy, updatedAt: world.at });
    return { agent: updated, at: world.at };
  },
};

/**
 * Usage is rounded up. Each pending action is converted by itself, so that it releases exactly the amount that it reserved.
 */
function convertFigures(world: World, agent: Agent, { currency, rate }: CurrencyChange): Agent {
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
