import Type from "typebox";
import { holderOf } from "../../../../domain/customers/documents/document-holder.ts";
import { uploadDocument as command } from "../../../../domain/customers/documents/upload-document.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  DocumentSchema,
  documentExample,
  documentJson,
} from "../../../../wire/customers/document.ts";
import { defineUpload } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { keepFile } from "../../../upload/keep-file.ts";
import { contentOf, documentFields, documentFile } from "./document-form.ts";

export const uploadDocument = defineUpload({
  id: "uploadDocument",
  method: "POST",
  path: "/documents",
  access: "MANAGE",
  capability: "customers.write",
  tag: "Documents",
  summary: "Upload a document",
  description:
    "The file is kept encrypted and is never given out again, but for a logo that the hosted pages show. Identity documents need `documentNumber` and " +
    "`issuingAuthority` by the time the holder is verified.",
  form: {
    fields: Type.Object({
      documentHolder: Type.String({
        maxLength: 255,
        description:
          "Id of the customer or owner, or of the platform's configuration for its logo.",
        example: documentExample.documentHolder,
      }),
      ...documentFields,
    }),
    file: documentFile,
  },
  answers: {
    201: { description: "The document.", schema: DocumentSchema, example: documentExample },
  },
  refusals: [
    "INVALID_INPUT",
    "REFERENCE_NOT_FOUND",
    "USER_NOT_FOUND",
    "CONFLICT",
    "CUSTOMER_DELETED",
  ],
  handle: ({ principal, body: form }, { engine, files }: Services) =>
    keepFile(
      {
        platformId: principal.platformId,
        form,
        async submit(read, fileId) {
          const holder = holderOf(read.fields.documentHolder);
          if (holder === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
          return submitForCaller(engine, principal, {
            command,
            input: { holder, content: contentOf(read, fileId) },
            toAnswer: (document) => ({ status: 201, body: documentJson(document) }),
            idempotency: read.idempotency,
          });
        },
      },
      files,
    ),
});
