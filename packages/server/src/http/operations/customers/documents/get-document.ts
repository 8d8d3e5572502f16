import Type from "typebox";
import { findDocument } from "../../../../domain/customers/documents/document.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  DocumentSchema,
  documentExample,
  documentJson,
} from "../../../../wire/customers/document.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getDocument = defineOperation({
  id: "getDocument",
  method: "GET",
  path: "/documents/{documentId}",
  access: "VIEW",
  capability: "documents.read",
  notesRead: true,
  tag: "Documents",
  summary: "Get a document",
  description: "Its file is not given out.",
  params: Type.Object({ documentId: pathId("Document") }),
  answers: {
    200: { description: "The document.", schema: DocumentSchema, example: documentExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("Document", params.documentId, "REFERENCE_NOT_FOUND");
    const document = await findDocument(reads, principal.platformId, id);
    if (document === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: documentJson(document) };
  },
});
