import Type from "typebox";
import { itemStates, listRailItems as list } from "../../../../domain/rails/entries/rail-item.ts";
import { stateFacet } from "../../../../tables/facets.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { RailItemSchema, railItemExample, railItemJson } from "../../../../wire/rails/rail-item.ts";
import { when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listRailItems = defineOperation({
  id: "listRailItems",
  method: "GET",
  path: "/rails/items",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List items in suspense",
  query: Type.Object({
    connectionId: Type.Optional(idField("RailConnection")),
    state: Type.Optional(Type.Enum([...itemStates])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailItemSchema),
      example: { data: [railItemExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listRailItems",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            when(queryId("RailConnection", query.connectionId), "t.connection_id = ?::uuid"),
            whenFacet(query.state, stateFacet),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: railItemJson,
    }),
});
