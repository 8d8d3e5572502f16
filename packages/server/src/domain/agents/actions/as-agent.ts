import type { Command } from "../../../engine/command.ts";
import type { Refusal } from "../../../engine/refusal.ts";
import { agents, getActingAgent } from "../agent.ts";
import type { AgentPermission } from "../agent-policy.ts";

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

/** Says no with what was found before the command, unless the agent itself stands in the way. */
export function refusingAsAgent(
  name: string,
  asked: { readonly agentId: string; readonly permission: AgentPermission },
): Command<Refusal, never> {
  return {
    name,
    needs: () => [agents.ref(asked.agentId)],
    decide(world, refusal) {
      getActingAgent(world, asked);
      throw refusal;
    },
  };
}
