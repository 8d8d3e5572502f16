import Type from "typebox";
import { listLedgerAccounts as list } from "../../../../domain/reading/ledger/ledger-accounts.sql.ts";
import { listOf } from "../../../../wire/fields.ts";
import { customerIdParameter, idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import {
  LedgerAccountSchema,
  ledgerAccountExample,
  ledgerAccountJson,
} from "../../../../wire/reading/ledger.ts";
import { currencyParameter } from "../../../request/filters.ts";
import { answerPage } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listLedgerAccounts = defineOperation({
  id: "listLedgerAccounts",
  method: "GET",
  path: "/ledger/accounts",
  access: "VIEW",
  capability: "ledger.read",
  tag: "Ledger",
  summary: "List ledger accounts",
  query: Type.Object({
    kind: Type.Optional(
      Type.String({
        pattern: "^[a-z][a-z-]{0,39}$",
        description: "`internal`, or a kind of system account.",
        examples: ["in-flight"],
      }),
    ),
    currency: currencyParameter,
    internalAccountId: Type.Optional(idField("InternalAccount")),
    customerId: customerIdParameter("The accounts of a customer."),
    connectionId: Type.Optional(idField("RailConnection")),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "By id. A system account comes into being with its first entry.",
      schema: listOf(LedgerAccountSchema),
      example: { data: [ledgerAccountExample], hasMore: false },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listLedgerAccounts",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          kind: query.kind,
          currency: query.currency,
          internalAccountId: queryId("InternalAccount", query.internalAccountId),
          customerId: queryId("Customer", query.customerId),
          connectionId: queryId("RailConnection", query.connectionId),
        }),
      positionOf: ({ id }) => id,
      toJson: ledgerAccountJson,
    }),
});
