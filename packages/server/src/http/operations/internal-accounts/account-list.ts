/** The list of internal accounts. Its operations differ in their path, their access and their conditions. */
import Type from "typebox";
import { listInternalAccounts } from "../../../domain/internal-accounts/internal-account.sql.ts";
import {
  type InternalAccountSubject,
  internalAccountTypes,
} from "../../../domain/internal-accounts/internal-account.ts";
import type { Reads } from "../../../postgres/database.ts";
import type { ListQuery } from "../../../tables/list-query.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../wire/accounts/internal-account.ts";
import { listOf } from "../../../wire/fields.ts";
import type { ListSource } from "../../request/list.ts";

export const accountTypeParameter = Type.Optional(Type.Enum([...internalAccountTypes]));

export const internalAccountsAnswer = {
  description: "Newest first.",
  schema: listOf(InternalAccountSchema),
  example: { data: [internalAccountExample], hasMore: false, totalCount: 1 },
};

export function internalAccountsWhere(
  reads: Reads,
  conditions: ListQuery["conditions"],
): ListSource<InternalAccountSubject> {
  return {
    load: (page) => listInternalAccounts(reads, { ...page, conditions }),
    idOf: ({ account }) => account.id,
    toJson: internalAccountJson,
  };
}
