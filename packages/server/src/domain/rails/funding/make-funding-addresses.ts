import type { Command, World } from "../../../engine/command.ts";
import { getCurrency } from "../../../money/currency.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { railRoutings, routingOf } from "../routes/routing.ts";
import { addressesOfAccount, freshReference, putAddress } from "./funding-address.ts";
import { type FundingChoice, fundingChoices, modeOf, referenceFormOf } from "./funding-plan.ts";
import { type VirtualAccount, virtualAccounts } from "./virtual-account.ts";

export interface MakeFundingAddressesInput {
  readonly accountIds: readonly string[];
  /** Virtual accounts that the caller found free; one that was assigned meanwhile is skipped. */
  readonly freeIds: readonly string[];
}

/**
 * Whether the account can have funding addresses. A simulated one has other instructions, and crypto is paid on its chain. An additional
 * account has them once somebody asked for them.
 */
export function mayHaveAddresses({
  isSimulated,
  type,
  status,
  currency,
  additional,
}: InternalAccount): boolean {
  const isFiat = type === "INTERNAL_FIAT" && getCurrency(currency).kind === "fiat";
  return isFiat && !isSimulated && status === "ACTIVE" && additional?.isFundable !== false;
}

/**
 * Makes the funding addresses that accounts lack, one for each connection that takes their currency. Existing addresses stay. An account
 * for which a pool has no free number gets none; the next read tries again.
 */
export const makeFundingAddresses: Command<MakeFundingAddressesInput, undefined> = {
  name: "make-funding-addresses",
  needs: (world, { accountIds, freeIds }) => [
    railRoutings.ref(world.platformId),
    ...accountIds.flatMap((id) => [internalAccounts.ref(id), addressesOfAccount.of(id)]),
    ...freeIds.map((id) => virtualAccounts.ref(id)),
  ],
  decide(world, { accountIds, freeIds }) {
    const routing = routingOf(world);
    const pool = freeIds.map((id) => world.get(virtualAccounts.ref(id)));
    const free = new Set(pool.filter(({ addressId }) => addressId === null));
    for (const id of accountIds) {
      const account = world.find(internalAccounts.ref(id));
      if (account === undefined || !mayHaveAddresses(account)) continue;
      const there = world.all(addressesOfAccount.of(id));
      for (const choice of fundingChoices(routing, account)) {
        const mode = modeOf(choice.connection);
        const isThere = there.some(
          (address) => address.connectionId === choice.connection.id && address.mode === mode,
        );
        if (!isThere) makeAddress(world, account, { choice, free });
      }
    }
    return undefined;
  },
};

function makeAddress(
  world: World,
  { id: accountId, currency }: InternalAccount,
  { choice, free }: { readonly choice: FundingChoice; readonly free: Set<VirtualAccount> },
): void {
  const { connection } = choice;
  const mode = modeOf(connection);
  if (mode === undefined) return;
  const [number] = [...free].filter(({ connectionId }) => connectionId === connection.id);
  if (mode === "VIRTUAL_ACCOUNTS" && number === undefined) return;
  const id = world.newId();
  putAddress(world, {
    id,
    connectionId: connection.id,
    accountId,
    quoteId: null,
    currency,
    mode,
    reference:
      mode === "REFERENCE" ? freshReference(world, referenceFormOf(connection, currency)) : null,
    virtualAccount: mode === "VIRTUAL_ACCOUNTS" ? (number?.number ?? null) : null,
    told: null,
    jobId: null,
    createdAt: world.at,
  });
  if (mode !== "VIRTUAL_ACCOUNTS" || number === undefined) return;
  free.delete(number);
  world.put(virtualAccounts, { ...number, addressId: id });
}
