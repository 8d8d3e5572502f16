/** Reads of spreads and fees. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import {
  type PriceRules,
  type PriceRuleVersion,
  priceRules,
  priceRuleVersions,
} from "./price-rules.ts";

const byPlatform = {
  name: "price_rules/get",
  text: `select ${priceRules.selectList("t")} from price_rules t where t.platform_id = $1::uuid and t.id = $1::uuid`,
};

/** Undefined while a platform has set none. */
export async function findPriceRules(
  reads: Reads,
  platformId: string,
): Promise<PriceRules | undefined> {
  const [found] = await reads.rows(priceRules, byPlatform, [platformId]);
  return found;
}

const versions = tableSource(priceRuleVersions);

export function listRuleVersions(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<PriceRuleVersion>> {
  return listPage(reads, versions, query);
}
