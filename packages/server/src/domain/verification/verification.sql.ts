import type { Reads } from "../../storage/database.ts";
import { type ListPage, type ListQuery, listPage, tableSource } from "../../storage/list-query.ts";
import { type Verification, verifications } from "./verification.ts";

const byId = {
  name: "verifications/get",
  text:
    `select ${verifications.selectList("t")} from verifications t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findVerification(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<Verification | undefined> {
  const [verification] = await reads.rows(verifications, byId, [platformId, id]);
  return verification;
}

const source = tableSource(verifications);

export function listVerifications(reads: Reads, query: ListQuery): Promise<ListPage<Verification>> {
  return listPage(reads, source, query);
}
