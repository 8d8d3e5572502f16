import type { Command } from "../../../engine/command.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { agents } from "../agent.ts";
import { type AgentActionSubject, actionNow, agentActions, moveAction } from "./agent-action.ts";
import { type DecideActionInput, getPendingAction } from "./approve-action.ts";
import { release } from "./usage.ts";

export interface RejectActionInput extends DecideActionInput {
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
