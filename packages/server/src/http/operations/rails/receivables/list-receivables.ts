import Type from "typebox";
import {
  listReceivables as list,
  receivableStates,
} from "../../../../domain/rails/returns/rail-receivable.ts";
import { stateFacet } from "../../../../tables/facets.ts";
import { listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import {
  RailReceivableSchema,
  receivableExample,
  receivableJson,
} from "../../../../wire/rails/rail-receivable.ts";
import { when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listReceivables = defineOperation({
  id: "listReceivables",
  method: "GET",
  path: "/rails/receivables",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List receivables",
  description:
    "What holders owe because a collected payment was taken back after its money was spent. No account goes below zero for it.",
  query: Type.Object({
    state: Type.Optional(Type.Enum([...receivableStates])),
    internalAccountId: Type.Optional(idField("InternalAccount")),
    customerId: Type.Optional(idField("Customer")),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailReceivableSchema),
      example: { data: [receivableExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listReceivables",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            whenFacet(query.state, stateFacet),
            when(queryId("InternalAccount", query.internalAccountId), "t.account_id = ?::uuid"),
            when(queryId("Customer", query.customerId), "t.customer_id = ?::uuid"),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: receivableJson,
    }),
});
