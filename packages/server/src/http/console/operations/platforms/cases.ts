/**
 * The verifications that platforms leave to operators. Operators see only the cases of such platforms and their documents. A case of any
 * other platform is answered like an unknown one.
 */

import Type, { type Static } from "typebox";
import {
  documentsOfCustomer,
  findDocumentOfCustomer,
} from "../../../../domain/customers/documents/document.sql.ts";
import { reviewVerification } from "../../../../domain/customers/verification/review-verification.ts";
import {
  refuseDecided,
  refuseTaken,
  takeVerification,
} from "../../../../domain/customers/verification/take-verification.ts";
import { noteRead } from "../../../../domain/people/note-read.ts";
import {
  findOperatorsCase,
  listOperatorsQueue,
  type OperatorsCase,
} from "../../../../domain/platforms/system/operators-queue.sql.ts";
import { orderDecision } from "../../../../domain/platforms/system/orders-of-operators.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { toIso } from "../../../../std/clock.ts";
import { toWireId } from "../../../../std/ids.ts";
import { wireDocument } from "../../../../wire/customers/document.ts";
import {
  VerificationSchema,
  verificationExample,
  verificationJson,
} from "../../../../wire/customers/verification.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  OperatorsCaseSchema,
  operatorsCaseExample,
  operatorsCaseJson,
} from "../../../../wire/platforms/operators-case.ts";
import { decisionBody, judgeDecision } from "../../../operations/customers/decision-body.ts";
import { fileAnswer } from "../../../request/file-answer.ts";
import { answerPage } from "../../../request/list.ts";
import { uncountedPageOf } from "../../../request/noun.ts";
import { defineOperation, type PersonPrincipal, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { actorOf, submitForCaller, submitFound } from "../../../request/submit-for-caller.ts";
import { AS_BYTES, getDocumentContent, piecesOf } from "../customers/document-content.ts";
import { moreOfCase } from "../customers/verifications.ts";
import { OPERATORS_SHARE } from "./deployment.ts";

const casePath = "/system/platforms/{platformId}/verifications/{verificationId}";
const caseParams = {
  platformId: pathId("PlatformConfig"),
  verificationId: pathId("Verification"),
} as const;

const params = Type.Object(caseParams);

const ofCases = {
  access: "PERSON",
  capability: "system.verifications",
  tag: "System",
} as const;

const caseAnswer = { schema: OperatorsCaseSchema, example: operatorsCaseExample } as const;

/** Gives the same answer for an unknown platform, a platform whose workspace decides, and an unknown verification. */
async function requireOperatorsCase(
  { reads }: Pick<Services, "reads">,
  named: Static<typeof params>,
): Promise<OperatorsCase> {
  const platformId = requireId("PlatformConfig", named.platformId, "REFERENCE_NOT_FOUND");
  const id = requireId("Verification", named.verificationId, "REFERENCE_NOT_FOUND");
  const found = await reads.withPermit(OPERATORS_SHARE, (cells) =>
    findOperatorsCase(cells, platformId, id),
  );
  if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  return found;
}

/** The operator as a caller at the platform, so that the log of the platform names the person. */
function atPlatformOf({ platform }: OperatorsCase, principal: PersonPrincipal) {
  return { ...principal, platformId: platform.id };
}

const listSystemVerifications = defineOperation({
  ...ofCases,
  id: "listSystemVerifications",
  ...route("GET /system/verifications"),
  summary: "List the verifications that operators decide",
  query: Type.Object({
    assigned: Type.Optional(
      Type.Enum(["MINE", "NONE"], {
        description: "Those that you have taken, or that no person has.",
      }),
    ),
    ...pageParameters,
  }),
  answers: {
    200: uncountedPageOf(
      { schema: OperatorsCaseSchema, example: operatorsCaseExample },
      "Those that wait for a decision, of all platforms, the oldest first.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle({ principal, query }, services: Services) {
    const { personId } = principal;
    const now = services.clock.now();
    return answerPage(services, {
      operationId: "listSystemVerifications",
      principal,
      query,
      load: ({ after, limit }) =>
        services.reads.withPermit(OPERATORS_SHARE, (cells) =>
          listOperatorsQueue(cells, {
            assigned: query.assigned ?? "ALL",
            personId,
            now: toIso(now),
            after,
            limit,
          }),
        ),
      positionOf: ({ verification }) => verification.id,
      toJson: (row) => operatorsCaseJson(row, { at: now + row.aheadMs }),
    });
  },
});

const getSystemVerification = defineOperation({
  ...ofCases,
  id: "getSystemVerification",
  ...route(`GET ${casePath}/case`),
  summary: "Get the case of a verification that operators decide",
  params,
  answers: {
    200: { description: "The case; while it is open, with what is not met.", ...caseAnswer },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ params }, services: Services) {
    const found = await requireOperatorsCase(services, params);
    const more = await moreOfCase(services, found.platform.id, found);
    return { status: 200, body: operatorsCaseJson(found, more) };
  },
});

const takeSystemVerification = defineOperation({
  ...ofCases,
  id: "takeSystemVerification",
  ...route(`POST ${casePath}/take`),
  summary: "Take a verification that operators decide",
  description:
    "For ten minutes no other person can decide it. Taking it again begins the ten minutes anew. Refused with 409 while another person has it.",
  params,
  answers: { 200: { description: "The case, with the end of the ten minutes.", ...caseAnswer } },
  refusals: ["REFERENCE_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const found = await requireOperatorsCase(services, params);
    return submitForCaller(services.engine, atPlatformOf(found, principal), {
      command: takeVerification,
      input: {
        verificationId: found.verification.id,
        personId: principal.personId,
        personName: principal.act.actorName ?? "",
        asOperator: true,
      },
      toAnswer: ({ at, ...taken }) => ({
        status: 200,
        body: operatorsCaseJson({ ...found, ...taken }, { at }),
      }),
      idempotency,
    });
  },
});

const decideSystemVerification = defineOperation({
  ...ofCases,
  id: "decideSystemVerification",
  ...route(`POST ${casePath}/decide`),
  summary: "Decide a verification as an operator",
  description:
    "Does what `POST /verifications/{verificationId}/decide` does. It has an entry in the audit log of the platform and one in that of your workspace.",
  params,
  body: decisionBody,
  requestExample: { outcome: "APPROVED", note: "passport seen" },
  answers: {
    200: {
      description: "The verification as it was decided.",
      schema: VerificationSchema,
      example: verificationExample,
    },
  },
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  judge: judgeDecision,
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { engine, clock } = services;
    const actor = actorOf(principal);
    const noted = await submitFound(engine, principal, {
      command: orderDecision,
      async find() {
        const { verification, aheadMs } = await requireOperatorsCase(services, params);
        refuseDecided(verification);
        refuseTaken({ actor, at: clock.now() + aheadMs }, verification);
        return undefined;
      },
      toAnswer: () => ({ status: 200, body: "" }),
      idempotency,
    });
    if (noted.status !== 200) return noted;
    const found = await requireOperatorsCase(services, params);
    const { outcome, errors = [], reasonCode: reason = null, note = null } = body;
    return submitForCaller(engine, atPlatformOf(found, principal), {
      command: reviewVerification,
      input: {
        verificationId: found.verification.id,
        ...{ outcome, errors, reason, note },
        by: toWireId("Person", principal.personId),
        asOperator: true,
      },
      toAnswer: (verification) => ({ status: 200, body: verificationJson(verification) }),
      idempotency,
    });
  },
});

const listSystemDocuments = defineOperation({
  ...ofCases,
  id: "listSystemDocuments",
  ...route(`GET ${casePath}/documents`),
  summary: "List the documents of a verification that operators decide",
  params: Type.Object(caseParams),
  answers: {
    200: {
      description: "Those of the customer and of its owners, the oldest first.",
      schema: Type.Object({ data: Type.Array(wireDocument.schema) }),
      example: { data: [wireDocument.example] },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ params }, services: Services) {
    const { platform, verification } = await requireOperatorsCase(services, params);
    const { customerId } = verification;
    const found = await documentsOfCustomer(services.reads, platform.id, customerId);
    return { status: 200, body: `{"data":[${found.map(wireDocument.json).join(",")}]}` };
  },
});

/** Each read of a file has an entry in the audit log of the workspace and of the platform. */
const getSystemDocumentContent = defineOperation({
  ...ofCases,
  id: "getSystemDocumentContent",
  ...route(`GET ${casePath}/documents/{documentId}/content`),
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

export const systemCaseOperations = [
  listSystemVerifications,
  getSystemVerification,
  takeSystemVerification,
  decideSystemVerification,
  listSystemDocuments,
  getSystemDocumentContent,
];
