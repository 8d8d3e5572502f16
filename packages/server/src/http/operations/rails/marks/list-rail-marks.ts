import Type from "typebox";
import { listRailMarks as list, markStates } from "../../../../domain/rails/marks/rail-mark.ts";
import { stateFacet } from "../../../../tables/facets.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { RailMarkSchema, railMarkExample, railMarkJson } from "../../../../wire/rails/rail-mark.ts";
import { when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listRailMarks = defineOperation({
  id: "listRailMarks",
  method: "GET",
  path: "/rails/marks",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List marks that wait",
  description:
    "Acts at connections that one token asked for and another one confirms or refuses: those of connections with " +
    "`approval: FOUR_EYES`, and payouts above a ceiling.",
  query: Type.Object({
    connectionId: Type.Optional(idField("RailConnection")),
    state: Type.Optional(Type.Enum([...markStates])),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailMarkSchema),
      example: { data: [railMarkExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listRailMarks",
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
      toJson: railMarkJson,
    }),
});
