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
    refuseFaults(policyFaults(mergePolicy(agent.policy, changes)));
    const currencyChange = currencyChangeOf(world, agent.policy, changes);
    const base =
      currencyChange === undefined ? agent.policy : convertPolicy(agent.policy, currencyChange);
    const policy = mergePolicy(base, changes);
    refuseForeignAccounts(world, {
      customerId: agent.customerId,
      policy,
      before: agent.policy,
    });

    const figures =
      currencyChange === undefined ? agent : convertFigures(world, agent, currencyChange);
    const updated = world.put(agents, { ...figures, policy, updatedAt: world.at });
    return { agent: updated, at: world.at };
  },
};

interface CurrencyChange {
  readonly currency: string;
  readonly rate: Ratio;
}

/** The conversion from the old currency of the limits to the new one; undefined without a change. */
function currencyChangeOf(
  world: World,
  policy: AgentPolicy,
  { spendingLimits }: PolicyChanges,
): CurrencyChange | undefined {
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

function convertPolicy(policy: AgentPolicy, currencyChange: CurrencyChange): AgentPolicy {
  const { accountRestrictions } = policy;
  const accountRules = convertRules(accountRestrictions?.accountRules, currencyChange.rate);
  return {
    ...policy,
    spendingLimits: convertLimits(policy.spendingLimits, currencyChange),
    ...(accountRules === undefined
      ? {}
      : { accountRestrictions: { ...accountRestrictions, accountRules } }),
  };
}

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
