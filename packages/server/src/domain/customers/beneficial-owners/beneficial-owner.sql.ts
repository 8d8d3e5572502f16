import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type BeneficialOwner, beneficialOwners } from "./beneficial-owner.ts";

const byId = {
  name: "beneficial_owners/get",
  text:
    `select ${beneficialOwners.selectList("t")} from beneficial_owners t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findBeneficialOwner(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<BeneficialOwner | undefined> {
  const [owner] = await reads.rows(beneficialOwners, byId, [platformId, id]);
  return owner;
}

const source = tableSource(beneficialOwners);

export function listBeneficialOwners(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<BeneficialOwner>> {
  return listPage(reads, source, query);
}
