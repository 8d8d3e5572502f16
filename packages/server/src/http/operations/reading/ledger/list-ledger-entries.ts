import Type from "typebox";
import { listEntries } from "../../../../domain/accounts/internal/entries.sql.ts";
import { findLedgerAccount } from "../../../../domain/reading/ledger/ledger-accounts.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { dateTimeParameter, listOf } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  LedgerEntrySchema,
  ledgerEntryExample,
  ledgerEntryJson,
} from "../../../../wire/reading/ledger.ts";
import { momentsOf } from "../../../request/filters.ts";
import { answerPage } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const reasonParameter = Type.Optional(
  Type.String({
    pattern: "^[a-z][a-z.-]{0,39}$",
    description: "Why money was moved.",
    examples: ["payout.settle"],
  }),
);

export const listLedgerEntries = defineOperation({
  id: "listLedgerEntries",
  method: "GET",
  path: "/ledger/accounts/{ledgerAccountId}/entries",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "List ledger entries",
  description: "The entries of one ledger account.",
  params: Type.Object({ ledgerAccountId: pathId("LedgerAccount") }),
  query: Type.Object({
    since: dateTimeParameter("Entries of this time or later."),
    until: dateTimeParameter("Entries of this time or earlier."),
    reason: reasonParameter,
    sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
    ...pageParameters,
  }),
  answers: {
    200: {
      description:
        "By `version`, the latest first unless `sortOrder` says otherwise. A page that is filtered by a reason is searched in 20,000 " +
        "entries: it may hold fewer rows than `limit`, or none, while `hasMore` is true.",
      schema: listOf(LedgerEntrySchema),
      example: { data: [ledgerEntryExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT", "LEDGER_ACCOUNT_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { reads } = services;
    const id = requireId("LedgerAccount", params.ledgerAccountId, "LEDGER_ACCOUNT_NOT_FOUND");
    const account = await findLedgerAccount(reads, principal.platformId, id);
    if (account === undefined) throw new Refusal("LEDGER_ACCOUNT_NOT_FOUND");
    return answerPage(services, {
      operationId: `listLedgerEntries ${id}`,
      principal,
      query,
      load: (page) =>
        listEntries(reads, {
          ...page,
          ...momentsOf(query),
          accountId: id,
          reason: query.reason,
          order: query.sortOrder ?? "desc",
        }),
      positionOf: ({ version }) => String(version),
      toJson: ledgerEntryJson,
    });
  },
});
