import type { Command } from "../../../engine/command.ts";
import type { Refusal } from "../../../engine/refusal.ts";
import { type Agent, agents, getActingAgent } from "../agent.ts";
import type { AgentPermission } from "../agent-policy.ts";

export interface AsAgentInput<Input> {
  readonly agentId: string;
  readonly input: Input;
}

/**
 * Wraps a platform's command for agents and checks the agent in the same commit. Refuses, in this order: what `getActingAgent` lists,
 * what `refuse` refuses, what the command itself refuses.
 */
export function asAgent<Input, Output>(
  command: Command<Input, Output>,
  permission: AgentPermission,
  refuse: (agent: Agent, input: Input) => void = () => undefined,
): Command<AsAgentInput<Input>, Output> {
  return {
    name: command.name,
    needs: (world, { agentId, input }) => [agents.ref(agentId), ...command.needs(world, input)],
    decide(world, { agentId, input }) {
      refuse(getActingAgent(world, { agentId, permission }), input);
      return command.decide(world, input);
    },
  };
}

/** Refuses with a refusal that was found before the command. A refusal of the agent itself takes precedence. */
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
