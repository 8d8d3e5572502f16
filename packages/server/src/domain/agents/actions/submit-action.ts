import type { Command, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { customers } from "../../customers/customer.ts";
import type { RailRulesOf } from "../../payments/transfers/payment-rail.port.ts";
import { type Agent, agents, getActingAgent, ruleRefusal } from "../agent.ts";
import {
  type ActionOrder,
  carryOut,
  orderNeeds,
  permissionFor,
  refuseOrder,
  resolveOrder,
} from "./action-order.ts";
import {
  type AgentAction,
  type AgentActionSubject,
  actionNow,
  agentActions,
  executedBy,
  MAX_PENDING_ACTIONS,
  moveAction,
  pendingActionsOfQuote,
} from "./agent-action.ts";
import { scheduleExpiry } from "./expire-action.ts";
import { judgeAction, type Verdict } from "./judge-action.ts";
import { rateNeeds, ratesIn } from "./rate-of.ts";
import { reserve, spend } from "./usage.ts";

export interface SubmitActionInput {
  readonly agentId: string;
  readonly order: ActionOrder;
  readonly rails: RailRulesOf;
}

/**
 * Submits an agent's order. Within the policy it is carried out in the same commit, or becomes a pending action. Refuses, in
 * this order: whatever `getActingAgent` lists, an account that is not the customer's, a broken rule of the policy, a
 * currency without a rate, a quote that is pending already, whatever the platform's own command refuses, too many pending
 * actions. A balance that is too low is not a refusal: the action is FAILED.
 */
export const submitAction: Command<SubmitActionInput, AgentActionSubject> = {
  name: "submit-agent-action",
  needs: (world, { agentId, order }) => {
    const agent = world.find(agents.ref(agentId));
    return [
      agents.ref(agentId),
      rateNeeds(world),
      ...(agent === undefined ? [] : [customers.ref(agent.customerId)]),
      ...(order.type === "EXECUTE_QUOTE" ? [pendingActionsOfQuote.of(order.quoteId)] : []),
      ...orderNeeds(world, order),
    ];
  },
  decide(world, { agentId, order, rails }) {
    const agent = getActingAgent(world, { agentId, permission: permissionFor(order) });
    const caller = { agentId, customerId: agent.customerId };
    const { facts, terms } = resolveOrder(world, order, caller);
    const verdict = requireAllowed(
      judgeAction(agent, facts, { rateOf: ratesIn(world), at: world.at }),
    );
    refuseSecondWait(world, order);
    refuseOrder(world, order, rails);
    const { platformCustomerId } = world.get(customers.ref(agent.customerId));
    const action: AgentAction = {
      id: world.newId(),
      ...caller,
      platformCustomerId,
      ...terms,
      approvalReason: verdict.kind === "needs-approval" ? verdict.reason : null,
      status: "PENDING_APPROVAL",
      transactionId: null,
      countedMinor: verdict.countedMinor,
      countedCurrency: agent.policy.spendingLimits.currency,
      executedAt: null,
      usageReturnedAt: null,
      rejectionReason: null,
      failureReason: null,
      createdAt: world.at,
      updatedAt: world.at,
    };
    if (verdict.kind === "needs-approval") return wait(world, agent, action);
    return execute(world, { agent, action, order, rails });
  },
};

/**
 * For the dry run of an order: an order that would wait for approval is carried out all the same, so that the effects of both are seen. A
 * balance that is too low for it is no refusal, because it is looked at when the order is approved.
 */
export const tryAction: Command<SubmitActionInput, AgentActionSubject> = {
  ...submitAction,
  decide(world, input) {
    const subject = submitAction.decide(world, input);
    const { agentId, order, rails } = input;
    if (subject.action.status !== "PENDING_APPROVAL") return subject;
    const outcome = world.attempt(() => carryOut(world, order, { agentId, rails }));
    if (outcome instanceof Refusal && outcome.code !== "INSUFFICIENT_BALANCE") throw outcome;
    return subject;
  },
};

type AllowedVerdict = Extract<Verdict, { kind: "allowed" | "needs-approval" }>;

/** The verdict if the policy allows the action; otherwise the refusal that names the rule. */
export function requireAllowed(verdict: Verdict): AllowedVerdict {
  switch (verdict.kind) {
    case "allowed":
    case "needs-approval":
      return verdict;
    case "refused":
      throw ruleRefusal(verdict.rule);
    case "no-rate":
      throw new Refusal(
        "INVALID_CURRENCY",
        { from: verdict.from, to: verdict.to },
        "There is no rate by which the policy could measure this.",
      );
  }
}

/** A quote is paid once: while one action for it is pending, another is refused. */
function refuseSecondWait(world: World, order: ActionOrder): void {
  if (order.type !== "EXECUTE_QUOTE") return;
  if (world.all(pendingActionsOfQuote.of(order.quoteId)).length === 0) return;
  const reason = "the quote waits for approval";
  throw new Refusal(
    "CONFLICT",
    { reason },
    "The quote waits for the approval of an earlier action; approve or reject that one first.",
  );
}

function wait(world: World, agent: Agent, action: AgentAction): AgentActionSubject {
  if (agent.reservedCount >= MAX_PENDING_ACTIONS) {
    const reason = `${MAX_PENDING_ACTIONS} actions wait for approval`;
    throw new Refusal("CONFLICT", { reason }, `${reason}; approve or reject some of them first.`);
  }

  world.put(agents, {
    ...agent,
    ...reserve(agent, action.countedMinor),
    lastActionAt: world.at,
  });
  scheduleExpiry(world, action);
  const subject = actionNow(world, world.put(agentActions, action));
  world.emit("AGENT_ACTION.PENDING_APPROVAL", subject);
  return subject;
}

function execute(
  world: World,
  {
    agent,
    action,
    order,
    rails,
  }: Omit<SubmitActionInput, "agentId"> & { readonly agent: Agent; readonly action: AgentAction },
): AgentActionSubject {
  const outcome = world.attempt(() => carryOut(world, order, { agentId: agent.id, rails }));
  if (outcome instanceof Refusal) {
    if (outcome.code !== "INSUFFICIENT_BALANCE") throw outcome;
    world.put(agents, { ...agent, lastActionAt: world.at });
    const failed = moveAction(action, "FAILED", { at: world.at, failureReason: outcome.code });
    return actionNow(world, world.put(agentActions, failed));
  }
  const executed = executedBy(action, outcome, world.at);
  const isSpent = executed.status === "APPROVED";
  const usage = isSpent ? spend(agent, action.countedMinor, world.at) : {};
  world.put(agents, { ...agent, ...usage, lastActionAt: world.at });
  return actionNow(world, world.put(agentActions, executed));
}
