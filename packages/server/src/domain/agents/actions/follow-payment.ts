import type { Command, World } from "../../../engine/command.ts";
import { scale } from "../../../money/ratio.ts";
import { mulDiv } from "../../../money/rounding.ts";
import { present } from "../../../std/assert.ts";
import {
  isMoneyBack,
  type Transaction,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { agents } from "../agent.ts";
import {
  type AgentAction,
  actionsOfTransaction,
  agentActions,
  moveAction,
} from "./agent-action.ts";
import type { RateOf } from "./judge-action.ts";
import { rateNeeds, ratesIn } from "./rate-of.ts";
import { unspend } from "./usage.ts";

export interface FollowPaymentInput {
  readonly transactionId: string;
  readonly jobId: string;
}

/**
 * Updates the action of a payment. A failed payment fails its action. The amount is credited back to the agent's limits
 * once, when the payer has the money again: not while a refund is pending, nor after a refund failed. Refuses nothing.
 */
export const followPayment: Command<FollowPaymentInput, undefined> = {
  name: "follow-agent-payment",
  needs: (world, { transactionId }) => {
    const actions = actionsOfTransaction.of(transactionId);
    const ofAgents = world.all(actions).map(({ agentId }) => agents.ref(agentId));
    return [transactions.ref(transactionId), actions, rateNeeds(world), ...ofAgents];
  },
  decide(world, { transactionId, jobId }) {
    world.cancel(jobId);
    const transaction = world.get(transactions.ref(transactionId));
    for (const action of world.all(actionsOfTransaction.of(transactionId)))
      follow(world, action, transaction);
    return undefined;
  },
};

function follow(world: World, action: AgentAction, transaction: Transaction): void {
  const { status, failureReason } = transaction;
  const hasJustFailed = status === "FAILED" && action.status === "APPROVED";
  const isReturned = isMoneyBack(transaction) && action.usageReturnedAt === null;
  if (!hasJustFailed && !isReturned) return;
  const followed = hasJustFailed
    ? moveAction(action, "FAILED", { at: world.at, failureReason })
    : action;
  world.put(agentActions, isReturned ? { ...followed, usageReturnedAt: world.at } : followed);
  if (isReturned) returnUsage(world, { action, transaction });
}

function returnUsage(
  world: World,
  { action, transaction }: { readonly action: AgentAction; readonly transaction: Transaction },
): void {
  const agent = world.get(agents.ref(action.agentId));
  const countedAt = present(action.executedAt, "the time of an action that was carried out");
  const { currency } = agent.policy.spendingLimits;
  const minor = backOf(transaction, inCurrency(action, currency, ratesIn(world)));
  world.put(agents, { ...agent, ...unspend(agent, { minor, countedAt }, world.at) });
}

/** The part of the counted amount that the payer got back, rounded down. A refund may return less than was sent. */
function backOf({ refund, sentMinor }: Transaction, countedMinor: bigint): bigint {
  if (refund?.returned === undefined || sentMinor === null) return countedMinor;
  const backMinor = BigInt(refund.returned.refundMinor);
  return backMinor < sentMinor ? mulDiv(countedMinor, backMinor, sentMinor, "down") : countedMinor;
}

/**
 * The counted amount in the present currency of the policy. It is rounded down, so that no more is returned than was used.
 */
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
