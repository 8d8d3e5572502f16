import Type from "typebox";
import { routeDirections } from "../../../../domain/payments/carrier/carrier.port.ts";
import { listRoutes } from "../../../../domain/rails/routes/rail-route.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import { RailRouteSchema, railRouteExample, routeJson } from "../../../../wire/rails/rail-route.ts";
import { currencyParameter, when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listRailRoutes = defineOperation({
  id: "listRailRoutes",
  method: "GET",
  path: "/rails/routes",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List rail routes",
  query: Type.Object({
    connectionId: Type.Optional(idField("RailConnection")),
    direction: Type.Optional(Type.Enum([...routeDirections])),
    currency: currencyParameter,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailRouteSchema),
      example: { data: [railRouteExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listRailRoutes",
      principal,
      query,
      load: (page) =>
        listRoutes(services.reads, {
          ...page,
          conditions: [
            { sql: "t.deleted_at is null" },
            when(queryId("RailConnection", query.connectionId), "t.connection_id = ?::uuid"),
            when(query.direction, "t.direction = ?::text"),
            when(query.currency, "t.currency = ?::text"),
          ],
        }),
      idOf: (route) => route.id,
      toJson: routeJson,
    }),
});
