import {
  type CreateExternalAccountInput,
  createExternalAccount,
} from "../external-accounts/create-external-account.ts";
import { asAgent } from "./actions/as-agent.ts";
import { type Agent, ruleRefusal } from "./agent.ts";

/** Adds an external account for the agent's customer. The account is not added to the policy's payees. */
export const createAgentExternalAccount = asAgent(
  createExternalAccount,
  "MANAGE_EXTERNAL_ACCOUNTS",
  refuseDepositAccount,
);

/**
 * The default deposit account receives the customer's incoming UMA payments without an order of the agent. A new account
 * is in no list of payees, so an agent whose payees are listed may not make it the default deposit account.
 */
function refuseDepositAccount(
  { policy }: Agent,
  { defaultUmaDepositAccount }: CreateExternalAccountInput,
): void {
  const isListed = policy.accountRestrictions?.payees?.mode === "LISTED";
  if (defaultUmaDepositAccount && isListed) throw ruleRefusal("PAYEE_NOT_ALLOWED");
}
