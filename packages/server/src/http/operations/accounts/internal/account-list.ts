/** The list of internal accounts. Its operations differ in their path, their access and their conditions. */
import Type from "typebox";
import { listInternalAccounts } from "../../../../domain/accounts/internal/internal-account.sql.ts";
import {
  type InternalAccountSubject,
  internalAccountTypes,
} from "../../../../domain/accounts/internal/internal-account.ts";
import type { ListQuery } from "../../../../tables/list-query.ts";
import {
  InternalAccountSchema,
  internalAccountExample,
  internalAccountJson,
} from "../../../../wire/accounts/internal-account.ts";
import { listOf } from "../../../../wire/fields.ts";
import type { ListSource } from "../../../request/list.ts";
import type { Caller } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { type AccountFunding, fundingOf } from "./account-funding.ts";

export const accountTypeParameter = Type.Optional(Type.Enum([...internalAccountTypes]));

export const internalAccountsAnswer = {
  description: "Newest first.",
  schema: listOf(InternalAccountSchema),
  example: { data: [internalAccountExample], hasMore: false, totalCount: 1 },
};

export function internalAccountsWhere(
  services: Services,
  caller: Caller,
  conditions: ListQuery["conditions"],
): ListSource<InternalAccountSubject> {
  let funding: AccountFunding = new Map();
  return {
    async load(page) {
      const found = await listInternalAccounts(services.reads, { ...page, conditions });
      funding = await fundingOf(
        services,
        caller,
        found.rows.map(({ account }) => account),
      );
      return found;
    },
    idOf: ({ account }) => account.id,
    toJson: (subject) => internalAccountJson(subject, funding.get(subject.account.id)),
  };
}
