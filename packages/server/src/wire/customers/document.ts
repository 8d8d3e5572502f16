import type { Document } from "../../domain/customers/documents/document.ts";
import { toHolderId } from "../../domain/customers/documents/document-holder.ts";
import { documentSides, documentTypes } from "../../domain/customers/documents/document-types.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireDocument = wireObject("Document", ({ of, maybe }: Kit<Document>) => ({
  id: of.id("Document", { description: "`Document:<uuid>`", example: 9 }),
  documentHolder: of.text({
    from: ({ holderKind, holderId }) => toHolderId({ kind: holderKind, id: holderId }),
    description: "Id of the customer or owner, or of the platform's configuration.",
    example: "Customer:019a4f00-0000-7000-8000-000000000001",
  }),
  documentType: of.enum(documentTypes, { example: "PASSPORT" }),
  side: maybe.enum(documentSides),
  country: of.text({ example: "US" }),
  documentNumber: maybe.text({ example: "C01X00T47" }),
  issuingAuthority: maybe.text({ example: "US Department of State" }),
  fileName: of.text({ example: "passport.pdf" }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
}));
