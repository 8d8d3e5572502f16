import type { Reads } from "../../../postgres/database.ts";
import { NOT_DELETED } from "../../../tables/facets.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type ExternalAccount, externalAccounts } from "./external-account.ts";

const byId = {
  name: "external_accounts/get",
  text:
    `select ${externalAccounts.selectList("t")} from external_accounts t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid and t.deleted_at is null",
};

export async function findExternalAccount(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<ExternalAccount | undefined> {
  const [account] = await reads.rows(externalAccounts, byId, [platformId, id]);
  return account;
}

const source = tableSource(externalAccounts);

export function listExternalAccounts(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<ExternalAccount>> {
  return listPage(reads, source, {
    ...query,
    conditions: [NOT_DELETED, ...query.conditions],
  });
}
