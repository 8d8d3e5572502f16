import Type from "typebox";
import { listTokens as list } from "../../../../domain/people/tokens/token.sql.ts";
import { listOf } from "../../../../wire/fields.ts";
import { TokenSchema, tokenExample, tokenJson } from "../../../../wire/people/token.ts";
import { dateConditions, dateFilters, when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listTokens = defineOperation({
  id: "listTokens",
  method: "GET",
  path: "/tokens",
  access: "VIEW",
  capability: "tokens.read",
  tag: "Tokens",
  summary: "List API tokens",
  query: Type.Object({
    name: Type.Optional(
      Type.String({ maxLength: 255, description: "Exactly this name.", examples: ["payouts"] }),
    ),
    ...dateFilters,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(TokenSchema),
      example: { data: [tokenExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listTokens",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [when(query.name, "t.name = ?::text"), ...dateConditions(query)],
        }),
      idOf: ({ token }) => token.id,
      toJson: ({ token, lastUsedAt }) => tokenJson(token, { lastUsedAt }),
    }),
});
