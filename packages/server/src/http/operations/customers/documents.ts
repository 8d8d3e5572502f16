import Type from "typebox";
import {
  findDocument,
  listDocuments as loadDocuments,
} from "../../../domain/customers/documents/document.sql.ts";
import {
  deleteDocument as deleteDocumentCommand,
  replaceDocument as replaceDocumentCommand,
  uploadDocument as uploadDocumentCommand,
} from "../../../domain/customers/documents/document-commands.ts";
import { holderOf } from "../../../domain/customers/documents/document-holder.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { wireDocument } from "../../../wire/customers/document.ts";
import { holderField, pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { when } from "../../request/filters.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, defineUpload, route } from "../../request/operation.ts";
import type { Filter } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { keepFile } from "../../upload/keep-file.ts";
import { contentOf, documentFields, documentFile } from "./document-form.ts";

const documents = defineNoun({
  path: "/documents",
  tag: "Documents",
  capability: "documents.read",
  ...wireDocument,
});

const uploadDocument = defineUpload({
  id: "uploadDocument",
  ...route("POST /documents", "MANAGE", "customers.write"),
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
        example: wireDocument.example.documentHolder,
      }),
      ...documentFields,
    }),
    file: documentFile,
  },
  answers: { 201: shown(documents, "The document.") },
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
            command: uploadDocumentCommand,
            input: { holder, content: contentOf(read, fileId) },
            toAnswer: (document) => ({ status: 201, body: wireDocument.json(document) }),
            idempotency: read.idempotency,
          });
        },
      },
      files,
    ),
});

const byHolder: Filter = {
  field: Type.Optional(holderField("Id of the customer or owner, or of the platform.")),
  conditionsOf(value) {
    const holder = value === undefined ? undefined : present(holderOf(value), "a holder");
    return [
      when(holder?.kind, "t.holder_kind = ?::text"),
      when(holder?.id, "t.holder_id = ?::uuid"),
    ];
  },
};

const listDocuments = listAll({
  ...documents,
  id: "listDocuments",
  summary: "List documents",
  where: [{ sql: "t.deleted_at is null" }],
  filters: { documentHolder: byHolder },
  list: loadDocuments,
});

const getDocument = getOne({
  ...documents,
  id: "getDocument",
  summary: "Get a document",
  description: "Its file is not given out.",
  param: "documentId",
  kind: "Document",
  answer: "The document.",
  find: findDocument,
  notesRead: true,
});

const replaceDocument = defineUpload({
  id: "replaceDocument",
  ...route("PUT /documents/{documentId}", "MANAGE", "customers.write"),
  tag: "Documents",
  summary: "Replace a document",
  description:
    "Another file and what is said of it take the place of what was; an optional field that is not sent is gone. The " +
    "holder stays. What a verification has taken up is kept, though it is not shown any more.",
  params: Type.Object({ documentId: pathId("Document") }),
  form: { fields: Type.Object(documentFields), file: documentFile },
  answers: { 200: shown(documents, "The document as it is now.") },
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
            command: replaceDocumentCommand,
            input: { documentId, content: contentOf(read, fileId) },
            toAnswer: (document) => ({ status: 200, body: wireDocument.json(document) }),
          }),
      },
      files,
    );
  },
});

const deleteDocument = defineOperation({
  id: "deleteDocument",
  ...route("DELETE /documents/{documentId}", "MANAGE", "customers.write"),
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
      command: deleteDocumentCommand,
      input: { documentId: requireId("Document", params.documentId, "REFERENCE_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

export const documentOperations = [
  uploadDocument,
  listDocuments,
  getDocument,
  replaceDocument,
  deleteDocument,
];
