import Type from "typebox";
import { replaceDocument as command } from "../../../../domain/customers/documents/replace-document.ts";
import {
  DocumentSchema,
  documentExample,
  documentJson,
} from "../../../../wire/customers/document.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineUpload } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { keepFile } from "../../../upload/keep-file.ts";
import { contentOf, documentFields, documentFile } from "./document-form.ts";

export const replaceDocument = defineUpload({
  id: "replaceDocument",
  method: "PUT",
  path: "/documents/{documentId}",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Documents",
  summary: "Replace a document",
  description:
    "Another file and what is said of it take the place of what was; an optional field that is not sent is gone. The " +
    "holder stays. What a verification has taken up is kept, though it is not shown any more.",
  params: Type.Object({ documentId: pathId("Document") }),
  form: { fields: Type.Object(documentFields), file: documentFile },
  answers: {
    200: {
      description: "The document as it is now.",
      schema: DocumentSchema,
      example: documentExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CONFLICT", "CUSTOMER_DELETED"],
  async handle({ principal, params, body: form }, { engine, files }: Services) {
    const documentId = requireId("Document", params.documentId, "REFERENCE_NOT_FOUND");
    const { platformId } = principal;
    return keepFile(
      {
        platformId,
        form,
        submit: (read, fileId) =>
          submitForCaller(engine, principal, {
            command,
            input: { documentId, content: contentOf(read, fileId) },
            toAnswer: (document) => ({ status: 200, body: documentJson(document) }),
          }),
      },
      files,
    );
  },
});
