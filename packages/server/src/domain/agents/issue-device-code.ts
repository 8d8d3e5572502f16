import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { agents, getLiveAgent } from "./agent.ts";
import { type DeviceCode, liveCodesOf, putDeviceCode, voidLiveCodes } from "./device-code.ts";

export interface IssueDeviceCodeInput {
  readonly agentId: string;
  readonly codeHash: string;
}

/**
 * Gives an agent that is not connected yet another device code; the one before is void. Refuses, in this order: an unknown
 * agent, a connected one.
 */
export const issueDeviceCode: Command<IssueDeviceCodeInput, DeviceCode> = {
  name: "issue-device-code",
  needs: (_world, { agentId }) => [agents.ref(agentId), liveCodesOf.of(agentId)],
  decide(world, input) {
    const agent = getLiveAgent(world, input.agentId);
    if (agent.accessTokenHash !== null) {
      throw new Refusal("CONFLICT", undefined, "The agent is connected already.");
    }

    voidLiveCodes(world, agent.id);
    return putDeviceCode(world, input);
  },
};
