import type { Command } from "../../engine/command.ts";
import { agents, getActingAgent } from "./agent.ts";
import type { AgentPermission } from "./agent-policy.ts";

export interface AsAgentInput<Input> {
  readonly agentId: string;
  readonly input: Input;
}

/**
 * A command of the platform as an agent may give it: judged, at the commit, by what the agent is then. Refuses what
 * `getActingAgent` lists, and then whatever the command itself does.
 */
export function asAgent<Input, Output>(
  command: Command<Input, Output>,
  permission: AgentPermission,
): Command<AsAgentInput<Input>, Output> {
  return {
    name: command.name,
    needs: (world, { agentId, input }) => [agents.ref(agentId), ...command.needs(world, input)],
    decide(world, { agentId, input }) {
      getActingAgent(world, { agentId, permission });
      return command.decide(world, input);
    },
  };
}
