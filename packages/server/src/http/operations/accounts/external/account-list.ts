/** The list of external accounts. Its operations differ in their path, their access and their conditions. */
import {
  type ExternalAccount,
  listExternalAccounts,
} from "../../../../domain/accounts/external/external-account.ts";
import type { Reads } from "../../../../postgres/database.ts";
import type { ListQuery } from "../../../../tables/list-query.ts";
import {
  ExternalAccountSchema,
  externalAccountExample,
  externalAccountJson,
} from "../../../../wire/accounts/external-account.ts";
import { listOf } from "../../../../wire/fields.ts";
import type { ListSource } from "../../../request/list.ts";

export const externalAccountsAnswer = {
  description: "Newest first.",
  schema: listOf(ExternalAccountSchema),
  example: { data: [externalAccountExample], hasMore: false, totalCount: 1 },
};

export function externalAccountsWhere(
  reads: Reads,
  conditions: ListQuery["conditions"],
): ListSource<ExternalAccount> {
  return {
    load: (page) => listExternalAccounts(reads, { ...page, conditions }),
    idOf: (account) => account.id,
    toJson: externalAccountJson,
  };
}
