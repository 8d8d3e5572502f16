import type { Command, World } from "../../engine/command.ts";
import { scale } from "../../money/ratio.ts";
import { present } from "../../std/assert.ts";
import { transactions } from "../transactions/transaction.ts";
import { type Agent, agents } from "./agent.ts";
import {
  type AgentAction,
  actionsOfTransaction,
  agentActions,
  moveAction,
} from "./agent-action.ts";
import type { RateOf } from "./judge-action.ts";
import { rateNeeds, ratesIn } from "./rate-of.ts";
import { unspend } from "./usage.ts";

export interface FailActionInput {
  readonly transactionId: string;
  readonly jobId: string;
}

/** Fails the action of a transaction that has failed, and gives back what it took from the limits. Refuses nothing. */
export const failAction: Command<FailActionInput, undefined> = {
  name: "fail-agent-action",
  needs: (world, { transactionId }) => {
    const actions = actionsOfTransaction.of(transactionId);
    const ofAgents = world.all(actions).map(({ agentId }) => agents.ref(agentId));
    return [transactions.ref(transactionId), actions, rateNeeds(world), ...ofAgents];
  },
  decide(world, { transactionId, jobId }) {
    world.cancel(jobId);
    const transaction = world.get(transactions.ref(transactionId));
    for (const action of world.all(actionsOfTransaction.of(transactionId))) {
      if (action.status !== "APPROVED") continue;
      const { failureReason } = transaction;
      world.put(agentActions, moveAction(action, "FAILED", { at: world.at, failureReason }));
      giveBack(world, world.get(agents.ref(action.agentId)), action);
    }
    return undefined;
  },
};

function giveBack(world: World, agent: Agent, action: AgentAction): void {
  const countedAt = present(action.executedAt, "the time of an action that was carried out");
  const { currency } = agent.policy.spendingLimits;
  const minor = inCurrency(action, currency, ratesIn(world));
  world.put(agents, { ...agent, ...unspend(agent, { minor, countedAt }, world.at) });
}

/** What was counted, in the currency that the policy counts in by now; rounded down, so that nothing is given back twice. */
function inCurrency(
  { countedMinor, countedCurrency }: AgentAction,
  currency: string,
  rateOf: RateOf,
): bigint {
  if (countedCurrency === currency) return countedMinor;
  const rate = present(
    rateOf(countedCurrency, currency),
    "the rate that the policy was changed by",
  );
  return scale(countedMinor, rate, "down");
}
