import Type from "typebox";
import { listDocuments as list } from "../../../domain/documents/document.sql.ts";
import { type DocumentHolder, holderOf } from "../../../domain/documents/document-holder.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { when } from "../../filters.ts";
import { answerList } from "../../list.ts";
import { defineOperation } from "../../operation.ts";
import { pageParameters } from "../../paging.ts";
import type { Services } from "../../services.ts";
import { DocumentSchema, documentExample, documentJson } from "../../wire/document.ts";
import { listOf } from "../../wire/shared.ts";

export const listDocuments = defineOperation({
  id: "listDocuments",
  method: "GET",
  path: "/documents",
  access: "VIEW",
  tag: "Documents",
  summary: "List documents",
  query: Type.Object({
    documentHolder: Type.Optional(Type.String({ description: "Id of the customer or owner." })),
    ...pageParameters,
  }),
  answers: {
    200: {
      description: "Newest first.",
      schema: listOf(DocumentSchema),
      example: { data: [documentExample], hasMore: false, totalCount: 1 },
    },
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) => {
    const holder = queryHolder(query.documentHolder);
    return answerList(services, {
      operationId: "listDocuments",
      principal,
      query,
      load: (page) =>
        list(services.reads, {
          ...page,
          conditions: [
            { sql: "t.deleted_at is null" },
            when(holder?.kind, "t.holder_kind = ?::text"),
            when(holder?.id, "t.holder_id = ?::uuid"),
          ],
        }),
      idOf: (document) => document.id,
      toJson: documentJson,
    });
  },
});

function queryHolder(raw: string | undefined): DocumentHolder | undefined {
  if (raw === undefined) return undefined;
  const holder = holderOf(raw);
  if (holder !== undefined) return holder;
  const message = "must be the id of a customer or an owner";
  throw invalidFields([{ field: "documentHolder", message }]);
}
