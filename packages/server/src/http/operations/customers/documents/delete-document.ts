import Type from "typebox";
import { deleteDocument as command } from "../../../../domain/customers/documents/delete-document.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const deleteDocument = defineOperation({
  id: "deleteDocument",
  method: "DELETE",
  path: "/documents/{documentId}",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Documents",
  summary: "Delete a document",
  description:
    "Its file is erased. Refused once a verification has taken the document up, also when it was replaced since, and for " +
    "the logo that the hosted pages show.",
  params: Type.Object({ documentId: pathId("Document") }),
  answers: { 204: { description: "The document is gone." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: { documentId: requireId("Document", params.documentId, "REFERENCE_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});
