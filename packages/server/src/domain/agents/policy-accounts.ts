/** The accounts that a policy names must be accounts of the agent's customer. */
import type { Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { externalAccounts, fromExternalAccountId } from "../accounts/external/external-account.ts";
import {
  internalAccountsOfCustomer,
  toInternalAccountId,
} from "../accounts/internal/internal-account.ts";
import {
  type AccountRestrictions,
  type AgentPolicy,
  externalsNamedBy,
  internalsNamedBy,
} from "./agent-policy.ts";

/** Rows to load to check a policy with these new restrictions. */
export function policyAccountNeeds(
  customerId: string,
  restrictions: AccountRestrictions | undefined,
): readonly AnyRef[] {
  const externalIds = externalsNamedBy(restrictions)
    .map(fromExternalAccountId)
    .filter((id) => id !== undefined);
  return [
    internalAccountsOfCustomer.of(customerId),
    ...[...new Set(externalIds)].map((id) => externalAccounts.ref(id)),
  ];
}

/** Which accounts are the customer's, by their wire ids. */
export interface OwnAccounts {
  hasInternal(wireId: string): boolean;
  /** Whether the id is of a live external account of the customer. */
  hasExternal(wireId: string): boolean;
}

/** Reads the rows that `policyAccountNeeds` lists. */
export function ownAccountsIn(world: Loaded, customerId: string): OwnAccounts {
  const internal = new Set(
    world.all(internalAccountsOfCustomer.of(customerId)).map(({ id }) => toInternalAccountId(id)),
  );
  return {
    hasInternal: (wireId) => internal.has(wireId),
    hasExternal(wireId) {
      const id = fromExternalAccountId(wireId);
      const account = id === undefined ? undefined : world.find(externalAccounts.ref(id));
      return account?.customerId === customerId && account.deletedAt === null;
    },
  };
}

/**
 * Refuses a policy that names an account that is not one of the customer's; an account that is unknown and one that belongs
 * to another customer get the same answer. An external account must be live when it is first named. One that was deleted
 * later can stay in the policy, so that a caller may send back the lists that it read; it cannot be paid.
 */
export function refuseForeignAccounts(
  own: OwnAccounts,
  {
    policy,
    before,
  }: {
    readonly policy: AgentPolicy;
    /** The policy that is replaced. */
    readonly before?: AgentPolicy;
  },
): void {
  const known = new Set(externalsNamedBy(before?.accountRestrictions));
  const internal = internalsNamedBy(policy).find((id) => !own.hasInternal(id));
  if (internal !== undefined) throw notOwn(internal, "internal");
  const external = externalsNamedBy(policy.accountRestrictions).find(
    (id) => !known.has(id) && !own.hasExternal(id),
  );
  if (external !== undefined) throw notOwn(external, "external");
}

function notOwn(wireId: string, kind: "internal" | "external"): Refusal {
  const message = `The policy names ${wireId}, which is none of the customer's ${kind} accounts.`;
  return new Refusal("REFERENCE_NOT_FOUND", undefined, message);
}
