import Type from "typebox";
import { listSources } from "../../../../domain/prices/rate-sources/rate-source.sql.ts";
import { sourceKinds } from "../../../../domain/prices/rate-sources/rate-source.ts";
import { listOf } from "../../../../wire/fields.ts";
import {
  RateSourceSchema,
  rateSourceExample,
  sourceJson,
} from "../../../../wire/prices/rate-source.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listRateSources = defineOperation({
  id: "listRateSources",
  method: "GET",
  path: "/rates/sources",
  access: "VIEW",
  capability: "rates.read",
  tag: "Rates",
  summary: "List rate sources",
  query: Type.Object({ kind: Type.Optional(Type.Enum([...sourceKinds])), ...pageParameters }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RateSourceSchema),
      example: { data: [rateSourceExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listRateSources",
      principal,
      query,
      load: (page) =>
        listSources(services.reads, {
          ...page,
          conditions: [{ sql: "t.deleted_at is null" }, when(query.kind, "t.kind = ?::text")],
        }),
      idOf: (source) => source.id,
      toJson: sourceJson,
    }),
});
