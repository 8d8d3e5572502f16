import { type LedgerAccount, ledgerAccounts } from "../../../ledger/chart.ts";
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  listPage,
  listRows,
} from "../../../tables/list-query.ts";
import {
  type InternalAccountSubject,
  internalAccountSubject,
  internalAccounts,
} from "./internal-account.ts";

const source: ListSource<InternalAccountSubject> = {
  list: internalAccounts,
  selectList: `${internalAccounts.selectList("t")}, ${ledgerAccounts.selectList("l")}`,
  countFrom: "internal_accounts t",
  from: "internal_accounts t join ledger_accounts l on l.platform_id = t.platform_id and l.id = t.id",
  decode(cells) {
    const account = internalAccounts.decode(cells);
    const ledger: LedgerAccount = ledgerAccounts.decode(cells, internalAccounts.columns.length);
    return internalAccountSubject(account, ledger);
  },
};

const byId = {
  name: "internal_accounts/get",
  text: `select ${source.selectList} from ${source.from} where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

/** An internal account with its balance, of a customer or of the platform. */
export async function findInternalAccount(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<InternalAccountSubject | undefined> {
  const [account] = await reads.rows(source, byId, [platformId, id]);
  return account;
}

/** Internal accounts with their balances. */
export function listInternalAccounts(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<InternalAccountSubject>> {
  return listPage(reads, source, query);
}

/** The same without the count of all. */
export function internalAccountRows(
  reads: Reads,
  query: ListQuery,
): Promise<Omit<ListPage<InternalAccountSubject>, "totalCount">> {
  return listRows(reads, source, query);
}

const additionalOfPlatform = {
  name: "internal_accounts/additional-of-platform",
  text:
    "select count(*) from (select from internal_accounts t where t.platform_id = $1::uuid and t.customer_id is null " +
    "and t.additional is not null limit $2::int8) found",
};

/** The number of the platform's own additional accounts. The query stops counting at `most`. */
export async function countAdditionalOfPlatform(
  reads: Reads,
  platformId: string,
  most: number,
): Promise<number> {
  const [row] = await reads.cells(additionalOfPlatform, [platformId, most]);
  return Number(row?.[0] ?? 0);
}

const balanceAt = {
  name: "ledger_entries/balance-at",
  text:
    "select v.next_version - 1, b.balance_after_minor from " +
    "(select entry_version_at($1::uuid, $2::uuid, $3::timestamptz + interval '1 millisecond') as next_version offset 0) v " +
    "left join ledger_entries b on b.platform_id = $1::uuid and b.account_id = $2::uuid and b.version = v.next_version - 1",
};

export interface PastBalance {
  readonly availableMinor: bigint;
  /** The version of the account's last entry at that time; 0 before its first one. */
  readonly version: bigint;
}

/** The balance that the last entry of the account up to this time has stored, the moment itself included. */
export async function findBalanceAt(
  reads: Reads,
  platformId: string,
  { accountId, at }: { readonly accountId: string; readonly at: string },
): Promise<PastBalance> {
  const [row] = await reads.cells(balanceAt, [platformId, accountId, at]);
  return { version: BigInt(row?.[0] ?? 0), availableMinor: BigInt(row?.[1] ?? 0) };
}
