/** The documents of a case that operators decide. Each read of a file has an entry in the audit log of the workspace and of the platform. */
import Type from "typebox";
import {
  documentsOfCustomer,
  findDocumentOfCustomer,
} from "../../../../../domain/customers/documents/document.sql.ts";
import { noteRead } from "../../../../../domain/people/note-read.ts";
import { Refusal } from "../../../../../engine/refusal.ts";
import {
  DocumentSchema,
  documentExample,
  documentJson,
} from "../../../../../wire/customers/document.ts";
import { pathId } from "../../../../../wire/id-fields.ts";
import { requireId } from "../../../../../wire/ids.ts";
import { fileAnswer } from "../../../../request/file-answer.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";
import { AS_BYTES, getDocumentContent, piecesOf } from "../../customers/document-content.ts";
import { atPlatformOf, caseParams, casePath, ofCases, requireOperatorsCase } from "./cases.ts";

export const listSystemDocuments = defineOperation({
  ...ofCases,
  id: "listSystemDocuments",
  method: "GET",
  path: `${casePath}/documents`,
  summary: "List the documents of a verification that operators decide",
  params: Type.Object(caseParams),
  answers: {
    200: {
      description: "Those of the customer and of its owners, the oldest first.",
      schema: Type.Object({ data: Type.Array(DocumentSchema) }),
      example: { data: [documentExample] },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ params }, services: Services) {
    const { platform, verification } = await requireOperatorsCase(services, params);
    const { customerId } = verification;
    const found = await documentsOfCustomer(services.reads, platform.id, customerId);
    return { status: 200, body: `{"data":[${found.map(documentJson).join(",")}]}` };
  },
});

export const getSystemDocumentContent = defineOperation({
  ...ofCases,
  id: "getSystemDocumentContent",
  method: "GET",
  path: `${casePath}/documents/{documentId}/content`,
  notesRead: true,
  summary: "Get the file of a document of a verification that operators decide",
  description:
    "As an attachment without a type, so that no browser shows it as a page. Each read has an entry in the audit log of the platform, and one in " +
    "that of your workspace.",
  params: Type.Object({ ...caseParams, documentId: pathId("Document") }),
  answers: {
    200: {
      description: "The file: a PDF or a JPEG, PNG or WebP image.",
      contentType: AS_BYTES,
      example: "%PDF-1.7",
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const found = await requireOperatorsCase(services, params);
    const { engine, reads, files } = services;
    const id = requireId("Document", params.documentId, "REFERENCE_NOT_FOUND");
    const { customerId } = found.verification;
    const platformId = found.platform.id;
    const document = await findDocumentOfCustomer(reads, platformId, { id, customerId });
    if (document === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    await submitForCaller(engine, atPlatformOf(found, principal), {
      command: { ...noteRead, name: getDocumentContent.id },
      input: undefined,
      toAnswer: () => ({ status: 200, body: "" }),
    });
    return fileAnswer(`document-${id}`, AS_BYTES, () => piecesOf(document, platformId, files));
  },
});
