import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type Quote, quotes } from "./quote.ts";

const byId = {
  name: "quotes/get",
  text: `select ${quotes.selectList("t")} from quotes t where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

export async function findQuote(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Quote | undefined> {
  const [quote] = await reads.rows(quotes, byId, [platformId, id]);
  return quote;
}

const source = tableSource(quotes);

export function listQuotes(reads: Reads, query: ListQuery): Promise<ListPage<Quote>> {
  return listPage(reads, source, query);
}
