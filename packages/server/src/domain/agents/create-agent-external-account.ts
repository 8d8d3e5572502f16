import { Refusal } from "../../engine/refusal.ts";
import {
  type CreateExternalAccountInput,
  createExternalAccount,
} from "../accounts/external/create-external-account.ts";
import { asAgent } from "./actions/as-agent.ts";
import type { Agent } from "./agent.ts";
import type { AgentPolicy } from "./agent-policy.ts";

/** Adds an external account for the agent's customer. The account is not added to the policy's payees. */
export const createAgentExternalAccount = asAgent(
  createExternalAccount,
  "MANAGE_EXTERNAL_ACCOUNTS",
  refuseDepositAccount,
);

/**
 * The default deposit account receives the customer's incoming UMA payments without an order of the agent, so only an agent that could
 * send the money there on its own may choose it.
 */
function refuseDepositAccount(
  { policy }: Agent,
  { defaultUmaDepositAccount }: CreateExternalAccountInput,
): void {
  if (!defaultUmaDepositAccount || maySendAnywhere(policy)) return;
  throw new Refusal(
    "FORBIDDEN",
    { rule: "PAYEE_NOT_ALLOWED" },
    "The agent may not choose where incoming UMA payments go: its policy does not let it transfer money from every account to any payee without an approval.",
  );
}

/** Whether the policy allows transfers from every internal account to a new payee without an approval. */
function maySendAnywhere({
  permissions,
  defaultExecutionMode,
  accountRestrictions = {},
  approvalThresholds,
}: AgentPolicy): boolean {
  const { payees, allowedAccountIds, accountRules = [] } = accountRestrictions;
  const modes = [defaultExecutionMode, ...accountRules.map((rule) => rule.executionMode)];
  return (
    permissions.includes("CREATE_TRANSFERS") &&
    payees?.mode !== "LISTED" &&
    (allowedAccountIds ?? null) === null &&
    !modes.includes("APPROVAL_REQUIRED") &&
    typeof approvalThresholds?.amount !== "number"
  );
}
