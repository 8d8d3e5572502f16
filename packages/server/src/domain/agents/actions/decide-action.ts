import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { customers } from "../../customers/customer.ts";
import { share } from "../../lineage.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import type { Transaction } from "../../payments/transactions/transaction.ts";
import type { RailRulesOf } from "../../payments/transfers/payment-rail.port.ts";
import { platforms } from "../../platform.ts";
import { type Agent, agents, getLiveAgent } from "../agent.ts";
import { carryOut, orderNeeds, orderOf, refuseOrder, resolveOrder } from "./action-order.ts";
import {
  type AgentAction,
  type AgentActionSubject,
  actionNow,
  agentActions,
  executedBy,
  moveAction,
} from "./agent-action.ts";
import { judgeAction } from "./judge-action.ts";
import { rateNeeds, ratesIn } from "./rate-of.ts";
import { requireAllowed } from "./submit-action.ts";
import { NOTHING_RESERVED, release, spend } from "./usage.ts";

export interface DecideActionInput {
  readonly agentId: string;
  readonly actionId: string;
}

export interface ApproveActionInput extends DecideActionInput {
  readonly rails: RailRulesOf;
}

/**
 * Carries out a pending action. Checks policy, pause, limits, accounts and balance as they are at approval; any refusal makes the
 * action FAILED. Refuses, in this order: an unknown agent, an action of another agent, an action that is not pending, in production a
 * person who made or connected the agent, or who counts as such a person.
 */
export const approveAction: Command<ApproveActionInput, AgentActionSubject> = {
  name: "approve-agent-action",
  needs: (world, input) => approvalNeeds(world, input),
  decide(world, input) {
    const { agent, action } = getPendingAction(world, input);
    refuseOwnAgent(world, agent);
    const outcome = world.attempt(() => executeNow(world, { agent, action, rails: input.rails }));

    const freed: Agent = { ...agent, ...release(agent, action.countedMinor) };
    if (outcome instanceof Refusal) {
      world.put(agents, freed);
      const failed = moveAction(action, "FAILED", {
        at: world.at,
        failureReason: reasonOf(outcome),
      });
      return actionNow(world, world.put(agentActions, failed));
    }
    const { transaction, countedMinor, countedCurrency } = outcome;
    const executed = executedBy(
      { ...action, countedMinor, countedCurrency },
      transaction,
      world.at,
    );
    const isSpent = executed.status === "APPROVED";
    world.put(agents, isSpent ? { ...freed, ...spend(freed, countedMinor, world.at) } : freed);
    return actionNow(world, world.put(agentActions, executed));
  },
};

/** Refuses people who made or connected the agent, because its orders count as theirs. A token acts for the platform and may approve. */
function refuseOwnAgent(world: World, { people }: Agent): void {
  const { kind, people: lineage = [] } = world.actor;
  if (kind !== "person" || !share(lineage, people)) return;
  if (world.get(platforms.ref(world.platformId)).environment === "SANDBOX") return;
  throw new Refusal(
    "APPROVAL_NOT_YOURS",
    { rule: "REQUESTER" },
    "You, or a person who counts as you, made this agent or connected it, so its orders count as yours. Another person must approve them.",
  );
}

/** A pending action and its agent. */
export function getPendingAction(
  world: Loaded,
  { agentId, actionId }: DecideActionInput,
): { readonly agent: Agent; readonly action: AgentAction } {
  const agent = getLiveAgent(world, agentId);
  const action = world.find(agentActions.ref(actionId));
  if (action?.agentId !== agent.id) throw new Refusal("REFERENCE_NOT_FOUND");
  const { status } = action;
  if (status !== "PENDING_APPROVAL") {
    const action = "approved or rejected";
    throw wrongState({ object: "action", status, needed: "PENDING_APPROVAL", action });
  }
  return { agent, action };
}

interface Execution {
  readonly transaction: Transaction;
  readonly countedMinor: bigint;
  readonly countedCurrency: string;
}

/**
 * Refuses, in this order: an account that no longer belongs to the customer, a broken rule of the policy, whatever the
 * platform's own command refuses. Reserved amounts of other actions do not count against the limits here: they count when
 * those actions are approved.
 */
function executeNow(
  world: World,
  {
    agent,
    action,
    rails,
  }: { readonly agent: Agent; readonly action: AgentAction; readonly rails: RailRulesOf },
): Execution {
  const order = orderOf(action);
  const { facts } = resolveOrder(world, order, action);
  const standing = { ...agent, ...NOTHING_RESERVED };
  const { countedMinor } = requireAllowed(
    judgeAction(standing, facts, { rateOf: ratesIn(world), at: world.at }),
  );
  refuseOrder(world, order, rails);
  const transaction = carryOut(world, order, { agentId: agent.id, rails });
  return { transaction, countedMinor, countedCurrency: agent.policy.spendingLimits.currency };
}

/** The broken rule of the policy, or the refusal code of the platform's own command. */
function reasonOf({ code, details }: Refusal): string {
  const rule = details?.rule;
  return typeof rule === "string" ? rule : code;
}

/** Lists the rows that the action names together with the others, so that loading takes few rounds. */
function approvalNeeds(world: Loaded, { agentId, actionId }: DecideActionInput): readonly AnyRef[] {
  const refs: AnyRef[] = [agents.ref(agentId), agentActions.ref(actionId), rateNeeds(world)];
  const action = world.find(agentActions.ref(actionId));
  if (action === undefined) return refs;
  return [
    ...refs,
    customers.ref(action.customerId),
    systemAccount("in-flight", action.currency),
    ...orderNeeds(world, orderOf(action)),
  ];
}

interface RejectActionInput extends DecideActionInput {
  readonly reason: string | undefined;
}

/** Rejects a pending action and releases its reserved amount. Refuses whatever `getPendingAction` lists. */
export const rejectAction: Command<RejectActionInput, AgentActionSubject> = {
  name: "reject-agent-action",
  needs: (world, { agentId, actionId }) => {
    const quoteId = world.find(agentActions.ref(actionId))?.quoteId ?? undefined;
    return [
      agents.ref(agentId),
      agentActions.ref(actionId),
      ...(quoteId === undefined ? [] : [quotes.ref(quoteId)]),
    ];
  },
  decide(world, input) {
    const { agent, action } = getPendingAction(world, input);

    world.put(agents, { ...agent, ...release(agent, action.countedMinor) });
    const rejectionReason = input.reason ?? null;
    const rejected = moveAction(action, "REJECTED", { at: world.at, rejectionReason });
    return actionNow(world, world.put(agentActions, rejected));
  },
};
