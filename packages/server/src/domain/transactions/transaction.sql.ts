import type { Reads } from "../../postgres/database.ts";
import { type ListPage, type ListQuery, listPage, tableSource } from "../../tables/list-query.ts";
import { type Transaction, transactions } from "./transaction.ts";

const byId = {
  name: "transactions/get",
  text: `select ${transactions.selectList("t")} from transactions t where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

export async function findTransaction(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Transaction | undefined> {
  const [transaction] = await reads.rows(transactions, byId, [platformId, id]);
  return transaction;
}

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

const source = tableSource(transactions);

export function listTransactions(reads: Reads, query: ListQuery): Promise<ListPage<Transaction>> {
  return listPage(reads, source, query);
}
