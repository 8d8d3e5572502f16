/** Which policies let an agent choose the account that incoming UMA payments go to. */
import { expect, it } from "vitest";
import { agent } from "../../../test/kit/agent-rows.ts";
import { refusalOf, rowsOf, worldFor } from "../../../test/kit/decide-alone.ts";
import { customer, external, PLATFORM, platform } from "../../../test/kit/payment-rows.ts";
import { customers } from "../customers/customer.ts";
import { platforms } from "../platform.ts";
import { agents } from "./agent.ts";
import type { AgentPolicy } from "./agent-policy.ts";
import { createAgentExternalAccount as command } from "./create-agent-external-account.ts";

const open: AgentPolicy = {
  ...agent.policy,
  permissions: ["CREATE_TRANSFERS", "MANAGE_EXTERNAL_ACCOUNTS"],
};
const restricted = (accountRestrictions: AgentPolicy["accountRestrictions"]) =>
  accountRestrictions === undefined ? {} : { accountRestrictions };

function verdict(policy: Partial<AgentPolicy>, defaultUmaDepositAccount: boolean) {
  const { accountType, accountInfo, primaryIdentifier } = external;
  const info = { ok: true, accountType, accountInfo, primaryIdentifier, pullable: true } as const;
  const input = {
    agentId: agent.id,
    input: {
      customerId: customer.id,
      currency: "USD",
      info,
      platformAccountId: undefined,
      defaultUmaDepositAccount,
      metadata: null,
    },
  };
  const world = worldFor({
    command,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, platform),
      rowsOf(customers, customer),
      rowsOf(agents, { ...agent, policy: { ...open, ...policy } }),
    ],
  });
  const refusal = refusalOf(world, () => command.decide(world, input));
  return refusal === undefined ? "made" : `${refusal.code} ${refusal.details?.rule}`;
}

const REFUSED = "FORBIDDEN PAYEE_NOT_ALLOWED";
const account = "InternalAccount:1";

it.each<readonly [why: string, Partial<AgentPolicy>, expected: string]>([
  ["any payee, no approval", {}, "made"],
  ["payees of the mode ANY", restricted({ payees: { mode: "ANY" } }), "made"],
  ["every account named by null", restricted({ allowedAccountIds: null }), "made"],
  [
    "an account rule without approval",
    restricted({ accountRules: [{ accountId: account }] }),
    "made",
  ],
  ["a threshold of null", { approvalThresholds: { amount: null } }, "made"],
  ["no permission to transfer", { permissions: ["MANAGE_EXTERNAL_ACCOUNTS"] }, REFUSED],
  [
    "no permission but to execute quotes",
    { permissions: ["MANAGE_EXTERNAL_ACCOUNTS", "CREATE_QUOTES", "EXECUTE_QUOTES"] },
    REFUSED,
  ],
  ["listed payees", restricted({ payees: { mode: "LISTED" } }), REFUSED],
  ["some accounts alone", restricted({ allowedAccountIds: [account] }), REFUSED],
  ["an approval of each payment", { defaultExecutionMode: "APPROVAL_REQUIRED" }, REFUSED],
  [
    "an approval of payments from an account",
    restricted({ accountRules: [{ accountId: account, executionMode: "APPROVAL_REQUIRED" }] }),
    REFUSED,
  ],
  ["an approval above an amount", { approvalThresholds: { currency: "USD", amount: 5 } }, REFUSED],
])("an agent with %s", (_why, policy, expected) => {
  expect(verdict(policy, true)).toBe(expected);
  // Any other account is added under every policy that has the permission.
  expect(verdict(policy, false)).toBe("made");
});
