/** Which accounts a policy may name, when an agent is made and when its policy changes. */
import { describe, expect, it } from "vitest";
import { agent } from "../../../test/kit/agent-rows.ts";
import { rowsOf } from "../../../test/kit/decide-alone.ts";
import { decided } from "../../../test/kit/decided.ts";
import { customer, external, internal, PLATFORM } from "../../../test/kit/payment-rows.ts";
import type { Command } from "../../engine/command.ts";
import { type ExternalAccount, externalAccounts } from "../accounts/external/external-account.ts";
import { type InternalAccount, internalAccounts } from "../accounts/internal/internal-account.ts";
import { customers } from "../customers/customer.ts";
import { agents } from "./agent.ts";
import type { AccountRestrictions } from "./agent-policy.ts";
import { createAgent } from "./create-agent.ts";
import { updatePolicy } from "./update-policy.ts";

const INTERNAL = `InternalAccount:${internal.id}`;
const EXTERNAL = `ExternalAccount:${external.id}`;

interface State {
  readonly internal?: Partial<InternalAccount>;
  readonly external?: Partial<ExternalAccount>;
  /** Of the policy that is replaced. */
  readonly before?: AccountRestrictions;
}

function refused<Input>(command: Command<Input, unknown>, input: Input, state: State) {
  const { before } = state;
  const policy = {
    ...agent.policy,
    ...(before === undefined ? {} : { accountRestrictions: before }),
  };
  const tables = [
    rowsOf(customers, customer),
    rowsOf(internalAccounts, { ...internal, ...state.internal }),
    rowsOf(externalAccounts, { ...external, ...state.external }),
    rowsOf(agents, { ...agent, policy }),
  ];
  const { refusal } = decided({ command, input, platformId: PLATFORM, tables });
  return refusal?.message;
}

const made = (accountRestrictions: AccountRestrictions, state: State) => {
  const policy = { ...agent.policy, accountRestrictions };
  const input = { name: "a", customerId: customer.id, policy, codeHash: "h" };
  return refused(createAgent, input, state);
};
const changed = (accountRestrictions: AccountRestrictions, state: State) =>
  refused(updatePolicy, { agentId: agent.id, changes: { accountRestrictions } }, state);

const notOwn = (id: string, kind: "internal" | "external") =>
  `The policy names ${id}, which is none of the customer's ${kind} accounts.`;

const NAMING: readonly (readonly [string, "internal" | "external", string, AccountRestrictions])[] =
  [
    ["an account to pay from", "internal", INTERNAL, { allowedAccountIds: [INTERNAL] }],
    ["an account with a rule", "internal", INTERNAL, { accountRules: [{ accountId: INTERNAL }] }],
    [
      "a payee",
      "external",
      EXTERNAL,
      { payees: { mode: "LISTED", externalAccountIds: [EXTERNAL] } },
    ],
    ["an account to pull from", "external", EXTERNAL, { fundingAccountIds: [EXTERNAL] }],
  ];

describe.each(NAMING)("%s", (_what, kind, id, restrictions) => {
  it("is one of the customer's", () => {
    expect([made(restrictions, {}), changed(restrictions, {})]).toEqual([undefined, undefined]);
  });

  it.each<readonly [string, Partial<InternalAccount & ExternalAccount>]>([
    ["another customer's", { customerId: PLATFORM }],
    ["the platform's own", { customerId: null }],
    ["unknown", { id: PLATFORM }],
  ])("is not %s", (_whose, change) => {
    const state = { [kind]: change };
    const refusal = notOwn(id, kind);
    expect([made(restrictions, state), changed(restrictions, state)]).toEqual([refusal, refusal]);
  });
});

describe("an external account that was deleted", () => {
  const gone = { external: { deletedAt: 1 } };
  const named = { fundingAccountIds: [EXTERNAL] };

  it("is not named anew, and stays where the policy named it", () => {
    expect(made(named, gone)).toBe(notOwn(EXTERNAL, "external"));
    expect(changed(named, gone)).toBe(notOwn(EXTERNAL, "external"));
    expect(changed(named, { ...gone, before: named })).toBeUndefined();
  });
});

it("an internal account is told before an external one, and no id of another kind is one", () => {
  const swapped = { allowedAccountIds: [EXTERNAL], fundingAccountIds: [INTERNAL] };
  expect(made(swapped, {})).toBe(notOwn(EXTERNAL, "internal"));
  expect(made({ fundingAccountIds: [INTERNAL] }, {})).toBe(notOwn(INTERNAL, "external"));
});
