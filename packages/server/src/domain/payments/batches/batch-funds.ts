/** Whether the source accounts of a batch have what all of its items need together. */
import type { Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts } from "../../../ledger/chart.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { internalAccounts, toInternalAccountId } from "../../accounts/internal/internal-account.ts";

/** What the items of a source account need. */
export interface FundsNeed {
  readonly accountId: string;
  readonly minor: bigint;
}

export function fundsNeeds(accountIds: readonly string[]): readonly AnyRef[] {
  return accountIds.flatMap((id) => [internalAccounts.ref(id), ledgerAccounts.ref(id)]);
}

const MOST_SHORTFALLS = 100;

/** Names the source accounts whose balance is lower than the sum of their items. An unknown account is left to its items. */
export function refuseShortfalls(world: Loaded, needs: readonly FundsNeed[]): void {
  const short: JsonObject[] = [];
  for (const { accountId, minor } of needs) {
    const currency = world.find(internalAccounts.ref(accountId))?.currency;
    const available = world.find(ledgerAccounts.ref(accountId))?.balanceMinor ?? 0n;
    if (currency === undefined || available >= minor) continue;
    short.push({
      accountId: toInternalAccountId(accountId),
      currency,
      available: Number(available),
      needed: Number(minor),
      shortfall: Number(minor - available),
    });
  }
  const [first] = short;
  if (first === undefined) return;
  const others = short.length > 1 ? ` ${short.length - 1} more accounts have too little.` : "";
  throw new Refusal(
    "INSUFFICIENT_BALANCE",
    { shortfalls: short.slice(0, MOST_SHORTFALLS) },
    `The items need ${first.needed} of ${first.accountId}, which has ${first.available} available, in the smallest unit of ${first.currency}.${others}`,
  );
}
