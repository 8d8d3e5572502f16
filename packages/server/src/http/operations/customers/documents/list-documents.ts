import Type from "typebox";
import { listDocuments as list } from "../../../../domain/customers/documents/document.sql.ts";
import { holderOf } from "../../../../domain/customers/documents/document-holder.ts";
import { present } from "../../../../std/assert.ts";
import {
  DocumentSchema,
  documentExample,
  documentJson,
} from "../../../../wire/customers/document.ts";
import { listOf } from "../../../../wire/fields.ts";
import { holderField } from "../../../../wire/id-fields.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { defineOperation } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";

export const listDocuments = defineOperation({
  id: "listDocuments",
  method: "GET",
  path: "/documents",
  access: "VIEW",
  capability: "documents.read",
  tag: "Documents",
  summary: "List documents",
  query: Type.Object({
    documentHolder: Type.Optional(holderField("Id of the customer or owner, or of the platform.")),
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
    const { documentHolder } = query;
    const holder =
      documentHolder === undefined ? undefined : present(holderOf(documentHolder), "a holder");
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
