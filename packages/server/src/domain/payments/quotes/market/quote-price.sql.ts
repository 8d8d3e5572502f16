/** Reads of how prices were made. */
import type { Reads } from "../../../../postgres/database.ts";
import { type QuotePrice, quotePrices } from "./quote-price.ts";

const byId = {
  name: "quote_prices/get",
  text: `select ${quotePrices.selectList("t")} from quote_prices t where t.platform_id = $1::uuid and t.id = $2::uuid`,
};

/** Undefined for a quote without an exchange, and for one of a sandbox. */
export async function findQuotePrice(
  reads: Reads,
  platformId: string,
  quoteId: string,
): Promise<QuotePrice | undefined> {
  const [price] = await reads.rows(quotePrices, byId, [platformId, quoteId]);
  return price;
}
