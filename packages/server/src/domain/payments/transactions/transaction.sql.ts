import type { Reads } from "../../../postgres/database.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { listerOf, rowListerOf, tableSource } from "../../../tables/list-query.ts";
import { type SearchedQuery, searchRows } from "../../../tables/list-search.ts";
import { type Transaction, transactions } from "./transaction.ts";

export const findTransaction = finderOf(transactions);

const byReference = {
  name: "transactions/get-by-reference",
  text: `select ${transactions.selectList("t")} from transactions t where t.platform_id = $1::uuid and t.reference = $2::text`,
};

export async function findTransactionByReference(
  reads: Reads,
  platformId: string,
  reference: string,
): Promise<Transaction | undefined> {
  const [transaction] = await reads.rows(transactions, byReference, [platformId, reference]);
  return transaction;
}

export const listTransactions = listerOf(transactions);
export const transactionRows = rowListerOf(transactions);

export function searchTransactions(reads: Reads, query: SearchedQuery) {
  return searchRows(reads, tableSource(transactions), query);
}

const toldBefore = {
  name: "transactions/told-before",
  text:
    "select k.subject, e.body from unnest($2::text[]) k(subject), lateral (select v.body from events v " +
    "where v.platform_id = $1::uuid and v.subject = k.subject and v.seq <= $3::int8 order by v.seq desc limit 1) e",
};

/** The body of each transaction's last event up to `eventSeq`, by the transaction's wire id. */
export async function lastToldOf(
  reads: Reads,
  platformId: string,
  { ids, eventSeq }: { readonly ids: readonly string[]; readonly eventSeq: bigint },
): Promise<ReadonlyMap<string, string>> {
  const rows = await reads.cells(toldBefore, [platformId, ids, eventSeq]);
  return new Map(rows.map(([id, body]) => [id ?? "", body ?? ""]));
}
