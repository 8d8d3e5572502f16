/** Reads of receivables. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type RailReceivable, railReceivables } from "./rail-receivable.ts";

const source = tableSource(railReceivables);

export function listReceivables(reads: Reads, query: ListQuery): Promise<ListPage<RailReceivable>> {
  return listPage(reads, source, query);
}

const byId = {
  name: "rail_receivables/get",
  text:
    `select ${railReceivables.selectList("t")} from rail_receivables t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findReceivable(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<RailReceivable | undefined> {
  const [receivable] = await reads.rows(railReceivables, byId, [platformId, id]);
  return receivable;
}
