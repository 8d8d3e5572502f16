import Type from "typebox";
import { connectionKinds } from "../../../../domain/payments/carrier/carrier.port.ts";
import {
  connectionHealth,
  listConnections,
} from "../../../../domain/rails/connections/rail-connection.sql.ts";
import { connectionStatuses } from "../../../../domain/rails/connections/rail-connection.ts";
import { listOf } from "../../../../wire/fields.ts";
import {
  connectionJson,
  RailConnectionSchema,
  railConnectionExample,
} from "../../../../wire/rails/rail-connection.ts";
import { currencyParameter, when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listRailConnections = defineOperation({
  id: "listRailConnections",
  method: "GET",
  path: "/rails/connections",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List rail connections",
  query: Type.Object({
    kind: Type.Optional(Type.Enum([...connectionKinds])),
    status: Type.Optional(Type.Enum([...connectionStatuses])),
    currency: currencyParameter,
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first, with how each stands.",
      schema: listOf(RailConnectionSchema),
      example: { data: [railConnectionExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, services: Services) {
    const { reads } = services;
    const { platformId } = principal;
    const { kind, status, currency } = query;
    const conditions = [
      when(kind, "t.kind = ?::text"),
      when(status, "t.status = ?::text"),
      when(
        currency,
        "exists (select 1 from json_array_elements_text(t.currencies) c where c = ?::text)",
      ),
    ];
    const load = async (page: { platformId: string; after: string | undefined; limit: number }) => {
      const found = await listConnections(reads, { ...page, conditions });
      const ids = found.rows.map(({ id }) => id);
      const health = await connectionHealth(reads, platformId, ids);
      return { ...found, rows: found.rows.map((row) => ({ row, health: health.get(row.id) })) };
    };
    return answerList(services, {
      operationId: "listRailConnections",
      principal,
      query,
      load,
      idOf: ({ row }) => row.id,
      toJson: ({ row, health }) => connectionJson(row, health),
    });
  },
});
