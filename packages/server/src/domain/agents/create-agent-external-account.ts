import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { toCustomerId } from "../customers/customer.ts";
import {
  type CreateExternalAccountInput,
  createExternalAccount,
} from "../external-accounts/create-external-account.ts";
import type { ExternalAccount } from "../external-accounts/external-account.ts";
import { agents, getActingAgent } from "./agent.ts";

export interface CreateAgentExternalAccountInput {
  readonly agentId: string;
  /** The customer as the request names it; undefined when it names none. */
  readonly namedCustomerId: string | undefined;
  readonly account: CreateExternalAccountInput;
}

/**
 * Adds an external account of an agent's customer. Refuses, in this order: whatever `getActingAgent` lists, a customer who
 * is not the agent's, whatever `createExternalAccount` lists.
 */
export const createAgentExternalAccount: Command<CreateAgentExternalAccountInput, ExternalAccount> =
  {
    name: createExternalAccount.name,
    needs: (world, { agentId, account }) => [
      agents.ref(agentId),
      ...createExternalAccount.needs(world, account),
    ],
    decide(world, { agentId, namedCustomerId, account }) {
      const permission = "MANAGE_EXTERNAL_ACCOUNTS";
      const { customerId } = getActingAgent(world, { agentId, permission });
      if (namedCustomerId !== undefined && namedCustomerId !== toCustomerId(customerId)) {
        throw new Refusal("USER_NOT_FOUND");
      }
      return createExternalAccount.decide(world, account);
    },
  };
