/** Changes of agents that may wait for other people: those that let an agent do more, and each device code. */
import type { Command, World } from "../../../engine/command.ts";
import { type Agent, agents, toAgentId } from "../../agents/agent.ts";
import type { AgentPolicy } from "../../agents/agent-policy.ts";
import {
  type CreateAgentInput,
  type CreatedAgent,
  createAgent,
} from "../../agents/create-agent.ts";
import type { DeviceCode } from "../../agents/device-code.ts";
import { type IssueDeviceCodeInput, issueDeviceCode } from "../../agents/device-code-commands.ts";
import { type AgentAt, type UpdateAgentInput, updateAgent } from "../../agents/update-agent.ts";
import { type UpdatePolicyInput, updatePolicy } from "../../agents/update-policy.ts";
import { widenedBy } from "../../agents/widened-policy.ts";
import { toCustomerId } from "../../customers/customer.ts";
import { type HoldableOrder, refuseUnlessAsShown } from "./hold-order.ts";

interface Changed extends AgentAt {
  readonly before: Agent | undefined;
}

/** Wraps a command so that its output also has the agent before the change. */
function withBefore<Input extends { readonly agentId: string }>(
  command: Command<Input, AgentAt>,
): Command<Input, Changed> {
  return {
    name: command.name,
    needs: (world, input) => command.needs(world, input),
    decide(world: World, input) {
      const before = world.find(agents.ref(input.agentId));
      return { before, ...command.decide(world, input) };
    },
  };
}

const subjectOf = ({ agentId }: { readonly agentId: string }) => toAgentId(agentId);
const changedAgent = ({ agent }: AgentAt) => toAgentId(agent.id);

export const updatePolicyOrder: HoldableOrder<UpdatePolicyInput, Changed> = {
  kind: "AGENT_POLICY",
  act: "updateAgentPolicy",
  command: withBefore(updatePolicy),
  subjectOf,
  factsOf({ before, agent }) {
    const widened = before === undefined ? [] : widenedBy(before.policy, agent.policy);
    return {
      summary: `More for ${toAgentId(agent.id)}: ${widened.join(", ")}`,
      isHarmless: widened.length === 0,
    };
  },
  resultOf: changedAgent,
};

export interface AgreedPolicyInput extends UpdatePolicyInput {
  /** The agent's policy as approvers were shown it. */
  readonly shown: AgentPolicy;
}

/** Refuses when the policy has changed since it was shown, and then whatever `updatePolicy` refuses. */
export const updateAgreedPolicy: Command<AgreedPolicyInput, AgentAt> = {
  name: updatePolicy.name,
  needs: (world, input) => updatePolicy.needs(world, input),
  decide(world, { shown, ...input }) {
    const agent = world.find(agents.ref(input.agentId));
    if (agent !== undefined)
      refuseUnlessAsShown("policy of the agent", { shown, now: agent.policy });
    return updatePolicy.decide(world, input);
  },
};

/** Resuming a paused agent lets it do more; every other change is harmless. */
export const updateAgentOrder: HoldableOrder<UpdateAgentInput, Changed> = {
  kind: "AGENT_POLICY",
  act: "updateAgent",
  command: withBefore(updateAgent),
  subjectOf,
  factsOf: ({ before, agent }) => ({
    summary: `${toAgentId(agent.id)} goes on after a pause`,
    isHarmless: before?.isPaused !== true || agent.isPaused,
  }),
  resultOf: changedAgent,
};

export const deviceCodeOrder: HoldableOrder<IssueDeviceCodeInput, DeviceCode> = {
  kind: "AGENT_POLICY",
  act: "createAgentDeviceCode",
  command: issueDeviceCode,
  subjectOf,
  factsOf: ({ agentId }) => ({ summary: `A device code for ${toAgentId(agentId)}` }),
  resultOf: ({ agentId }) => toAgentId(agentId),
};

export const createAgentOrder: HoldableOrder<CreateAgentInput, CreatedAgent> = {
  kind: "AGENT_POLICY",
  act: "createAgent",
  command: createAgent,
  factsOf: ({ agent: { customerId, policy } }) => ({
    summary: `An agent of ${toCustomerId(customerId)} with ${policy.permissions.join(", ")}`,
  }),
  resultOf: changedAgent,
};
