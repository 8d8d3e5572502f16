/** Reads of positions. */
import { ledgerAccounts, systemAccountId } from "../../../ledger/chart.ts";
import { connectionCurrencies } from "../../../money/currency.ts";
import type { Reads } from "../../../postgres/database.ts";
import { fxPositions } from "./fx-position.ts";

const ofPlatform = {
  name: "fx_positions/all",
  text: `select ${fxPositions.selectList("t")} from fx_positions t where t.platform_id = $1::uuid`,
};

const fxAccounts = {
  name: "fx_positions/accounts",
  text:
    `select ${ledgerAccounts.selectList("t")} from ledger_accounts t ` +
    "where t.platform_id = $1::uuid and t.id = any ($2::uuid[])",
};

/** A platform's position in a currency, with its limits. */
export interface FxStanding {
  readonly currency: string;
  readonly balanceMinor: bigint;
  readonly committedMinor: bigint;
  readonly maxLong: bigint | null;
  readonly maxShort: bigint | null;
}

const accountIds: readonly string[] = connectionCurrencies.map(({ code }) =>
  systemAccountId("fx", code),
);

/** The positions in currencies that the platform has exchanged or set a limit for, ordered by currency. */
export async function listPositions(
  reads: Reads,
  platformId: string,
): Promise<readonly FxStanding[]> {
  const [positions, accounts] = await Promise.all([
    reads.rows(fxPositions, ofPlatform, [platformId]),
    reads.rows(ledgerAccounts, fxAccounts, [platformId, accountIds]),
  ]);
  const byCurrency = new Map(positions.map((position) => [position.currency, position]));
  const balances = new Map(accounts.map((account) => [account.currency, account.balanceMinor]));
  return [...new Set([...byCurrency.keys(), ...balances.keys()])].sort().map((currency) => {
    const position = byCurrency.get(currency);
    return {
      currency,
      balanceMinor: balances.get(currency) ?? 0n,
      committedMinor: position?.committedMinor ?? 0n,
      maxLong: position?.maxLong ?? null,
      maxShort: position?.maxShort ?? null,
    };
  });
}
