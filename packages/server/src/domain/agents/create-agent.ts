import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { customers } from "../customers/customer.ts";
import { NOTHING_RESERVED, noUsage } from "./actions/usage.ts";
import { type Agent, agents } from "./agent.ts";
import type { AgentPolicy } from "./agent-policy.ts";
import { type DeviceCode, putDeviceCode } from "./device-code.ts";
import { ownAccountsIn, policyAccountNeeds, refuseForeignAccounts } from "./policy-accounts.ts";

export interface CreateAgentInput {
  readonly name: string;
  readonly customerId: string;
  readonly policy: AgentPolicy;
  readonly codeHash: string;
  /** Ids of the people who count as the agent; when absent, the caller's. */
  readonly people?: readonly string[];
}

export interface CreatedAgent {
  readonly agent: Agent;
  readonly deviceCode: DeviceCode;
  readonly at: number;
}

/**
 * Creates an agent for a customer, with a device code by which it can connect. Refuses, in this order: an unknown customer,
 * a deleted one, a policy that names an account that is not the customer's.
 */
export const createAgent: Command<CreateAgentInput, CreatedAgent> = {
  name: "create-agent",
  needs: (_world, { customerId, policy }) => [
    customers.ref(customerId),
    ...policyAccountNeeds(customerId, policy.accountRestrictions),
  ],
  decide(world, { name, customerId, policy, codeHash, people = world.actor.people ?? [] }) {
    const customer = world.find(customers.ref(customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    refuseForeignAccounts(ownAccountsIn(world, customerId), { policy });

    const agent = world.put(agents, {
      id: world.newId(),
      customerId,
      name,
      isPaused: false,
      policy,
      accessTokenHash: null,
      ...noUsage(world.at),
      ...NOTHING_RESERVED,
      people,
      lastActionAt: null,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
    const deviceCode = putDeviceCode(world, { agentId: agent.id, codeHash, people });
    return { agent, deviceCode, at: world.at };
  },
};
