import Type from "typebox";
import {
  entryDirectionFacet,
  entryDirections,
  listRailEntries as list,
} from "../../../../domain/rails/entries/rail-entry.ts";
import { dateTimeParameter, listOf } from "../../../../wire/fields.ts";
import { idField } from "../../../../wire/id-fields.ts";
import { queryId } from "../../../../wire/ids.ts";
import {
  RailEntrySchema,
  railEntryExample,
  railEntryJson,
} from "../../../../wire/rails/rail-entry.ts";
import { createdConditions, when, whenFacet } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listRailEntries = defineOperation({
  id: "listRailEntries",
  method: "GET",
  path: "/rails/entries",
  access: "VIEW",
  capability: "rails.read",
  tag: "Rails",
  summary: "List entries",
  query: Type.Object({
    connectionId: Type.Optional(idField("RailConnection")),
    direction: Type.Optional(Type.Enum([...entryDirections])),
    bankReference: Type.Optional(
      Type.String({ minLength: 1, maxLength: 140, examples: ["BANK-20261121-0042"] }),
    ),
    from: dateTimeParameter("Told at this time or later."),
    to: dateTimeParameter("Told at this time or earlier."),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(RailEntrySchema),
      example: { data: [railEntryExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listRailEntries",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            when(queryId("RailConnection", query.connectionId), "t.connection_id = ?::uuid"),
            whenFacet(query.direction, entryDirectionFacet),
            when(query.bankReference, "t.bank_reference = ?::text"),
            ...createdConditions(query.from, query.to),
          ],
        }),
      idOf: ({ id }) => id,
      toJson: railEntryJson,
    }),
});
