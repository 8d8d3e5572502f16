import Type from "typebox";
import { findDocument } from "../../../../domain/customers/documents/document.sql.ts";
import type { Document } from "../../../../domain/customers/documents/document.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { Fault } from "../../../../std/errors.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { fileAnswer } from "../../../request/file-answer.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";

/** Not the file's own type, so that no browser renders it. */
export const AS_BYTES = "application/octet-stream";

export const getDocumentContent = defineOperation({
  id: "getDocumentContent",
  ...route(`GET ${ofPlatform("/documents/{documentId}/content")}`, "PERSON", "documents.read"),
  opensPersonalData: true,
  notesRead: true,
  tag: "Documents",
  summary: "Get the file of a document",
  description:
    "As an attachment without a type, so that no browser shows it as a page. Each read has an audit entry.",
  params: Type.Object({ documentId: pathId("Document") }),
  answers: {
    200: {
      description: "The file: a PDF or a JPEG, PNG or WebP image.",
      contentType: AS_BYTES,
      example: "%PDF-1.7",
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads, files }: Services) {
    const { platformId } = principal;
    const id = requireId("Document", params.documentId, "REFERENCE_NOT_FOUND");
    const document = await findDocument(reads, platformId, id);
    if (document === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return fileAnswer(`document-${id}`, AS_BYTES, () => piecesOf(document, platformId, files));
  },
});

/** Reads chunk by chunk. If the file is replaced meanwhile, the connection is cut, so that a partial file does not look complete. */
export async function* piecesOf(
  { fileId, fileBytes }: Document,
  platformId: string,
  files: Services["files"],
): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < fileBytes; ) {
    const piece = await files.read({ platformId, fileId, at });
    if (piece === undefined)
      throw new Fault("the file of a document was deleted while it was read");
    yield piece;
    at += piece.length;
  }
}
