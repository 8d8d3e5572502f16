import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { customers } from "../customers/customer.ts";
import { agents, getLiveAgent } from "./agent.ts";
import { type DeviceCode, liveCodesOf, putDeviceCode, voidLiveCodes } from "./device-code.ts";

export interface IssueDeviceCodeInput {
  readonly agentId: string;
  readonly codeHash: string;
  /** Who issued it: the people behind the caller when absent. */
  readonly people?: readonly string[];
}

/**
 * Issues a new device code for an unconnected agent and makes the previous code VOID. Refuses, in this order: an unknown
 * agent, an agent of a deleted customer, a connected agent.
 */
export const issueDeviceCode: Command<IssueDeviceCodeInput, DeviceCode> = {
  name: "issue-device-code",
  needs: (world, { agentId }) => {
    const ref = agents.ref(agentId);
    const agent = world.find(ref);
    if (agent === undefined) return [ref];
    return [ref, liveCodesOf.of(agentId), customers.ref(agent.customerId)];
  },
  decide(world, input) {
    const agent = getLiveAgent(world, input.agentId);
    if (world.get(customers.ref(agent.customerId)).deletedAt !== null) {
      throw new Refusal("CUSTOMER_DELETED");
    }
    if (agent.accessTokenHash !== null) {
      throw new Refusal(
        "CONFLICT",
        undefined,
        "The agent is connected already; only an agent that has redeemed no code gets another.",
      );
    }

    voidLiveCodes(world, agent.id);
    return putDeviceCode(world, input);
  },
};
