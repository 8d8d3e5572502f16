import type { Command } from "../../engine/command.ts";
import { agentActions, moveAction, pendingActionsOf } from "./actions/agent-action.ts";
import { NOTHING_RESERVED } from "./actions/usage.ts";
import { type Agent, agents, getLiveAgent } from "./agent.ts";
import { liveCodesOf, voidLiveCodes } from "./device-code.ts";

/**
 * Deletes an agent. Its access token and its device code become invalid, and its pending actions are rejected. Approved
 * actions continue. Refuses an unknown agent.
 */
export const deleteAgent: Command<{ readonly agentId: string }, Agent> = {
  name: "delete-agent",
  needs: (_world, { agentId }) => [
    agents.ref(agentId),
    pendingActionsOf.of(agentId),
    liveCodesOf.of(agentId),
  ],
  decide(world, { agentId }) {
    const agent = getLiveAgent(world, agentId);

    for (const action of world.all(pendingActionsOf.of(agentId))) {
      const rejectionReason = "The agent was deleted.";
      world.put(agentActions, moveAction(action, "REJECTED", { at: world.at, rejectionReason }));
    }
    voidLiveCodes(world, agentId);
    return world.put(agents, {
      ...agent,
      ...NOTHING_RESERVED,
      updatedAt: world.at,
      deletedAt: world.at,
    });
  },
};
