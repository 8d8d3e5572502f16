import type { Command } from "../../engine/command.ts";
import { type Agent, agents, getLiveAgent } from "./agent.ts";

export interface UpdateAgentInput {
  readonly agentId: string;
  readonly name: string | undefined;
  readonly isPaused: boolean | undefined;
}

/** An agent with the time of the read: its usage depends on the day. */
export interface AgentAt {
  readonly agent: Agent;
  readonly at: number;
}

/** Renames, pauses or resumes an agent. Refuses an unknown agent. */
export const updateAgent: Command<UpdateAgentInput, AgentAt> = {
  name: "update-agent",
  needs: (_world, { agentId }) => [agents.ref(agentId)],
  decide(world, { agentId, name, isPaused }) {
    const agent = getLiveAgent(world, agentId);
    const updated = world.put(agents, {
      ...agent,
      name: name ?? agent.name,
      isPaused: isPaused ?? agent.isPaused,
      updatedAt: world.at,
    });
    return { agent: updated, at: world.at };
  },
};
