import Type from "typebox";
import type { Document } from "../../domain/customers/documents/document.ts";
import { toHolderId } from "../../domain/customers/documents/document-holder.ts";
import { documentSides, documentTypes } from "../../domain/customers/documents/document-types.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema, optional } from "../fields.ts";

export const DocumentSchema = Type.Object(
  {
    id: Type.String({ description: "`Document:<uuid>`" }),
    documentHolder: Type.String({
      description: "Id of the customer or owner, or of the platform's configuration.",
    }),
    documentType: Type.Enum([...documentTypes]),
    side: Type.Optional(Type.Enum([...documentSides])),
    country: Type.String(),
    documentNumber: Type.Optional(Type.String()),
    issuingAuthority: Type.Optional(Type.String()),
    fileName: Type.String(),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Document" },
);

export function documentJson(document: Document): string {
  return JSON.stringify({
    id: toWireId("Document", document.id),
    documentHolder: toHolderId({ kind: document.holderKind, id: document.holderId }),
    documentType: document.documentType,
    ...optional("side", document.side),
    country: document.country,
    ...optional("documentNumber", document.documentNumber),
    ...optional("issuingAuthority", document.issuingAuthority),
    fileName: document.fileName,
    createdAt: toIso(document.createdAt),
    updatedAt: toIso(document.updatedAt),
  });
}

export const documentExample = {
  id: "Document:019a4f00-0000-7000-8000-000000000009",
  documentHolder: "Customer:019a4f00-0000-7000-8000-000000000001",
  documentType: "PASSPORT",
  country: "US",
  documentNumber: "C01X00T47",
  issuingAuthority: "US Department of State",
  fileName: "passport.pdf",
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:00:00.000Z",
};
