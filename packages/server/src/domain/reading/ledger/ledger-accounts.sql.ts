/** Reads of ledger accounts. */
import { type LedgerAccount, ledgerAccounts } from "../../../ledger/chart.ts";
import type { Reads, ReadValue } from "../../../postgres/database.ts";

export interface AccountQuery {
  readonly platformId: string;
  readonly kind: string | undefined;
  readonly currency: string | undefined;
  readonly internalAccountId: string | undefined;
  readonly customerId: string | undefined;
  readonly connectionId: string | undefined;
  /** Only ids after this one. */
  readonly after: string | undefined;
  readonly limit: number;
}

const COLUMNS = ledgerAccounts.selectList("t");

/** Ordered by id; a filter that matches several accounts has an index that ends with the id. */
export async function listLedgerAccounts(reads: Reads, query: AccountQuery) {
  const { limit, kind, currency, internalAccountId, customerId, connectionId, after } = query;
  const values: ReadValue[] = [query.platformId];
  const place = (value: ReadValue) => `$${values.push(value)}`;
  const clauses = ["t.platform_id = $1::uuid"];
  if (kind === "internal") clauses.push("t.kind = 'internal'");
  // The first condition is the predicate of the partial index of system accounts.
  else if (kind !== undefined)
    clauses.push(`t.kind <> 'internal' and t.kind = ${place(kind)}::text`);
  if (currency !== undefined) clauses.push(`t.currency = ${place(currency)}::text`);
  if (internalAccountId !== undefined) {
    clauses.push(`t.kind = 'internal' and t.id = ${place(internalAccountId)}::uuid`);
  }
  if (customerId !== undefined) {
    clauses.push(
      "t.id = any (array(select i.id from internal_accounts i where i.platform_id = $1::uuid " +
        `and i.customer_id = ${place(customerId)}::uuid))`,
    );
  }
  if (connectionId !== undefined) clauses.push(`t.connection_id = ${place(connectionId)}::uuid`);
  if (after !== undefined) clauses.push(`t.id > ${place(after)}::uuid`);
  const text =
    `select ${COLUMNS} from ledger_accounts t where ${clauses.join(" and ")} ` +
    `order by t.id limit ${place(limit + 1)}::int8`;
  const rows = await reads.cells({ name: "", text }, values);
  return {
    rows: rows.slice(0, limit).map((cells) => ledgerAccounts.decode(cells)),
    hasMore: rows.length > limit,
  };
}

const byId = {
  name: "ledger_accounts/get",
  text: `select ${COLUMNS} from ledger_accounts t where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

export async function findLedgerAccount(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<LedgerAccount | undefined> {
  const [account] = await reads.rows(ledgerAccounts, byId, [platformId, id]);
  return account;
}
