import type { Reads } from "../../../postgres/database.ts";

const neverPaid = {
  name: "transactions/never-paid",
  text:
    "select k.id from unnest($2::uuid[]) k(id) where not exists (" +
    "select from transactions t where t.platform_id = $1::uuid and t.destination_account_id = k.id)",
};

/** Which of these accounts no payment was made to. */
export async function neverPaidOf(
  reads: Reads,
  platformId: string,
  accountIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await reads.cells(neverPaid, [platformId, accountIds]);
  return rows.map(([id]) => String(id));
}

const currencies = {
  name: "internal_accounts/currencies",
  text:
    "select r.* from unnest($2::uuid[]) k(id), lateral (select t.id, t.currency from internal_accounts t " +
    "where t.platform_id = $1::uuid and t.id = k.id limit 1) r",
};

/** The currencies of internal accounts, by their uuids. */
export async function currenciesOf(
  reads: Reads,
  platformId: string,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reads.cells(currencies, [platformId, accountIds]);
  return new Map(rows.map(([id, currency]) => [String(id), String(currency)]));
}
