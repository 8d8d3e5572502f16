import Type from "typebox";
import { listStatements as list } from "../../../../domain/accounts/statements/statement.sql.ts";
import {
  StatementSchema,
  statementExample,
  statementJson,
} from "../../../../wire/accounts/statement.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listStatements = defineOperation({
  id: "listStatements",
  method: "GET",
  path: "/statements",
  access: "VIEW",
  capability: "statements.read",
  tag: "Statements",
  summary: "List statements",
  query: Type.Object({
    accountId: Type.Optional(idField("InternalAccount")),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "The latest order first.",
      schema: listOf(StatementSchema),
      example: { data: [statementExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listStatements",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [when(queryId("InternalAccount", query.accountId), "t.account_id = ?::uuid")],
        }),
      idOf: ({ id }) => id,
      toJson: statementJson,
    }),
});
