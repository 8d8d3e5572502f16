import type { Command } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { customers } from "../customers/customer.ts";
import { type Agent, accessTokenHandle, agents, getLiveAgent } from "./agent.ts";
import {
  type DeviceCode,
  deviceCodes,
  deviceCodesByHash,
  liveCodesOf,
  putDeviceCode,
  voidLiveCodes,
} from "./device-code.ts";

export interface RedeemDeviceCodeInput {
  readonly codeHash: string;
  readonly accessTokenHash: string;
}

/**
 * Redeems a device code for an access token, once. Refuses, in this order: a code that is unknown or VOID, or whose agent or
 * customer is deleted, all with one answer; a redeemed code; an expired code.
 */
export const redeemDeviceCode: Command<RedeemDeviceCodeInput, Agent> = {
  name: "redeem-device-code",
  needs: (world, { codeHash }) => {
    const codes = deviceCodesByHash.of(codeHash);
    const refs: AnyRef[] = [codes];
    for (const { agentId } of world.all(codes)) {
      const ref = agents.ref(agentId);
      const agent = world.find(ref);
      refs.push(ref, ...(agent === undefined ? [] : [customers.ref(agent.customerId)]));
    }
    return refs;
  },
  decide(world, { codeHash, accessTokenHash }) {
    const [code] = world.all(deviceCodesByHash.of(codeHash));
    if (code === undefined || code.voidedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
    const agent = world.get(agents.ref(code.agentId));
    const customer = world.get(customers.ref(agent.customerId));
    if (agent.deletedAt !== null || customer.deletedAt !== null) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    if (code.redeemedAt !== null) throw unusable("was redeemed already");
    if (world.at >= code.expiresAt) throw unusable("has expired");

    world.put(deviceCodes, { ...code, redeemedAt: world.at });
    world.claimHandle(accessTokenHandle(accessTokenHash));
    const people = [...new Set([...agent.people, ...code.people])];
    return world.put(agents, { ...agent, accessTokenHash, people, updatedAt: world.at });
  },
};

function unusable(reason: string): Refusal {
  return invalidField("code", reason);
}

export interface IssueDeviceCodeInput {
  readonly agentId: string;
  readonly codeHash: string;
  /** Ids of the people who issued the code; when absent, the caller's. */
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
