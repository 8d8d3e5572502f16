import Type from "typebox";
import { listExports as list } from "../../../../domain/reading/exports/export.sql.ts";
import { listOf } from "../../../../wire/fields.ts";
import { ExportSchema, exportExample, exportJson } from "../../../../wire/reading/export.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listExports = defineOperation({
  id: "listExports",
  method: "GET",
  path: "/exports",
  access: "VIEW",
  capability: "exports.create",
  tag: "Exports",
  summary: "List exports",
  query: Type.Object(pageParameters),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(ExportSchema),
      example: { data: [exportExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerList(services, {
      operationId: "listExports",
      principal,
      query,
      load: (page) => list(services.reads, { ...page, conditions: [] }),
      idOf: ({ id }) => id,
      toJson: exportJson,
    }),
});
