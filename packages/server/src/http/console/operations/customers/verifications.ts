import Type from "typebox";
import { findCustomerSubject } from "../../../../domain/customers/customer.sql.ts";
import { customerTypes } from "../../../../domain/customers/customer.ts";
import { documentsOfCustomer } from "../../../../domain/customers/documents/document.sql.ts";
import { toHeldDocument } from "../../../../domain/customers/verification/held-documents.ts";
import { unmetRequirements } from "../../../../domain/customers/verification/requirements.ts";
import { submittedData } from "../../../../domain/customers/verification/submission.ts";
import { takeVerification as takeVerificationCommand } from "../../../../domain/customers/verification/take-verification.ts";
import {
  findSubmissions,
  findVerificationCase,
  LEASE_RUNS,
  listVerificationQueue,
  type QueuedVerification,
} from "../../../../domain/customers/verification/verification.sql.ts";
import { isOpen } from "../../../../domain/customers/verification/verification.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { toIso } from "../../../../std/clock.ts";
import {
  type CaseMore,
  wireVerificationCase,
} from "../../../../wire/customers/verification-case.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { when } from "../../../request/filters.ts";
import { answerList } from "../../../request/list.ts";
import { pageOf, shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { ofPlatform } from "../../place.ts";

const MINE = "t.taken_by = ?::uuid";

const listVerificationCases = defineOperation({
  id: "listVerificationCases",
  ...route(`GET ${ofPlatform("/verifications/queue")}`, "PERSON", "customers.read"),
  tag: "Verifications",
  summary: "List the verifications that wait for a decision",
  query: Type.Object({
    assigned: Type.Optional(
      Type.Enum(["MINE", "NONE"], {
        description: "Those that you have taken, or that no person has.",
      }),
    ),
    customerType: Type.Optional(Type.Enum([...customerTypes])),
    ...pageParameters,
  }),
  answers: {
    200: pageOf(wireVerificationCase, "The oldest first."),
  },
  refusals: ["INVALID_INPUT"],
  handle({ principal, query }, services: Services) {
    const now = services.clock.now();
    const { assigned, customerType } = query;
    const isMine = assigned === "MINE";
    return answerList(services, {
      operationId: "listVerificationCases",
      principal,
      query,
      load: (page) =>
        listVerificationQueue(services.reads, {
          ...page,
          conditions: [
            when(customerType, "c.customer_type = ?::text"),
            when(isMine ? principal.personId : undefined, MINE),
            when(isMine ? toIso(now) : undefined, LEASE_RUNS),
            when(assigned === "NONE" ? toIso(now) : undefined, `(${LEASE_RUNS}) is not true`),
          ],
        }),
      idOf: ({ verification }) => verification.id,
      toJson: (queued) => wireVerificationCase.json(queued, { at: now + queued.aheadMs }),
    });
  },
});

const params = Type.Object({ verificationId: pathId("Verification") });

const getVerificationCase = defineOperation({
  id: "getVerificationCase",
  ...route(`GET ${ofPlatform("/verifications/{verificationId}/case")}`, "PERSON", "customers.read"),
  tag: "Verifications",
  summary: "Get the case of a verification",
  params,
  answers: {
    200: {
      description: "The case; while it is open, with the requirements that are not met.",
      schema: wireVerificationCase.schema,
      example: { ...wireVerificationCase.example, unmet: [] },
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads, clock }: Services) {
    const { platformId } = principal;
    const id = requireId("Verification", params.verificationId, "REFERENCE_NOT_FOUND");
    const found = await findVerificationCase(reads, platformId, id);
    if (found === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return {
      status: 200,
      body: wireVerificationCase.json(found, await moreOfCase({ reads, clock }, platformId, found)),
    };
  },
});

/** The facts of a case beyond its row in the queue. */
export async function moreOfCase(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
  { verification, aheadMs }: QueuedVerification,
): Promise<CaseMore> {
  const { status, customerId } = verification;
  const at = clock.now() + aheadMs;
  const submissions = await findSubmissions(reads, platformId, verification);
  if (!isOpen(status) && submissions.length > 0) return { at, submissions };
  const subject = await findCustomerSubject(reads, platformId, customerId);
  const current =
    submissions.length > 0 || subject === undefined
      ? {}
      : { current: submittedData(subject.customer, subject.owners) };
  if (!isOpen(status)) return { at, submissions, ...current };
  const documents = await documentsOfCustomer(reads, platformId, customerId);
  const unmet =
    subject && unmetRequirements({ ...subject, documents: documents.map(toHeldDocument), at });
  return { at, submissions, ...current, unmet: unmet ?? [] };
}

const takeVerification = defineOperation({
  id: "takeVerification",
  ...route(
    `POST ${ofPlatform("/verifications/{verificationId}/take")}`,
    "PERSON",
    "verifications.decide",
  ),
  tag: "Verifications",
  summary: "Take a verification",
  description:
    "For ten minutes no other person can decide it. Taking it again begins the ten minutes anew. Refused with 409 while another person has it.",
  params,
  answers: {
    200: shown(wireVerificationCase, "The case, with the end of the ten minutes."),
  },
  refusals: ["FORBIDDEN", "REFERENCE_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  handle: async ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: takeVerificationCommand,
      input: {
        verificationId: requireId("Verification", params.verificationId, "REFERENCE_NOT_FOUND"),
        personId: principal.personId,
        personName: principal.act.actorName ?? "",
      },
      toAnswer: ({ at, ...taken }) => ({
        status: 200,
        body: wireVerificationCase.json(taken, { at }),
      }),
      idempotency,
    }),
});

export const caseOperations = [listVerificationCases, getVerificationCase, takeVerification];
