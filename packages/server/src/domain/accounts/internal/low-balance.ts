import type { Loaded } from "../../../engine/command.ts";
import { lowBalance } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import { toInternalAccountId } from "./internal-account.ts";

/** Refuses to take more from an internal account than is available there. */
export function refuseLowBalance(
  world: Loaded,
  needed: { readonly accountId: string; readonly currency: string; readonly minor: bigint },
): void {
  const { accountId, currency, minor } = needed;
  const availableMinor = world.find(ledgerAccounts.ref(accountId))?.balanceMinor ?? 0n;
  if (availableMinor >= minor) return;
  throw lowBalance({
    accountId: toInternalAccountId(accountId),
    currency,
    availableMinor,
    neededMinor: minor,
  });
}
