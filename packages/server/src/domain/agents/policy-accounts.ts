import type { Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import {
  internalAccountsOfCustomer,
  toInternalAccountId,
} from "../internal-accounts/internal-account.ts";
import { type AgentPolicy, accountsNamedBy } from "./agent-policy.ts";

/** Refuses a policy that names an account that is not one of the customer's. */
export function refuseForeignAccounts(
  world: Loaded,
  { customerId, policy }: { readonly customerId: string; readonly policy: AgentPolicy },
): void {
  const own = new Set(
    world.all(internalAccountsOfCustomer.of(customerId)).map(({ id }) => toInternalAccountId(id)),
  );
  if (accountsNamedBy(policy).every((id) => own.has(id))) return;
  const message = "The policy names an account that is none of the customer's internal accounts.";
  throw new Refusal("REFERENCE_NOT_FOUND", undefined, message);
}
