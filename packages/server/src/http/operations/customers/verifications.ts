import Type, { type Static } from "typebox";
import type { OverrideRejectionInput } from "../../../domain/customers/verification/override-rejection.ts";
import { reviewVerification } from "../../../domain/customers/verification/review-verification.ts";
import { submitVerification } from "../../../domain/customers/verification/submit-verification.ts";
import {
  findVerification,
  listVerifications as loadVerifications,
} from "../../../domain/customers/verification/verification.sql.ts";
import {
  toVerificationId,
  type Verification,
  verificationStatuses,
} from "../../../domain/customers/verification/verification.ts";
import type { Approval } from "../../../domain/people/approvals/approval.ts";
import { decideVerificationOrder } from "../../../domain/people/approvals/held-verifications.ts";
import { toWireId } from "../../../std/ids.ts";
import {
  resolveErrorsExample,
  VerificationSchema,
  verificationExample,
  verificationJson,
} from "../../../wire/customers/verification.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, isPerson, route } from "../../request/operation.ts";
import { byCustomer, byEnum } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { verificationEvents } from "../event-lists.ts";
import { decisionBody, judgeDecision } from "./decision-body.ts";

export function requireVerificationId(wireId: string): string {
  return requireId("Verification", wireId, "REFERENCE_NOT_FOUND");
}

export const OverrideContent = Type.Object({
  verificationId: Type.String(),
  outcome: Type.Literal("APPROVED"),
  note: decisionBody.properties.note,
});

/** The content of an override, with the rejection that it overrides. Other decisions do not wait, so theirs is not stored. */
export async function decisionContent(
  { reads }: Pick<Services, "reads">,
  platformId: string,
  { verificationId, ...body }: Pick<Static<typeof OverrideContent>, "verificationId">,
): Promise<object> {
  const verification = await findVerification(reads, platformId, verificationId);
  const content = { ...body, verificationId: toVerificationId(verificationId) };
  if (verification?.status !== "REJECTED") return content;
  const { decidedBy, decisionReason, decisionNote } = verification;
  const rejection = { decidedBy, reasonCode: decisionReason, note: decisionNote };
  return { ...content, rejection };
}

export function overrideInput(
  { verificationId, note }: Static<typeof OverrideContent>,
  { requestedBy }: Pick<Approval, "requestedBy">,
): OverrideRejectionInput {
  const id = requireVerificationId(verificationId);
  return { verificationId: id, by: requestedBy, note: note ?? null };
}

const verifications = defineNoun({
  path: "/verifications",
  tag: "Verifications",
  capability: "customers.read",
  schema: VerificationSchema,
  example: verificationExample,
  json: verificationJson,
});

const createVerification = defineOperation({
  id: "createVerification",
  ...route("POST /verifications", "MANAGE", "customers.write"),
  tag: "Verifications",
  summary: "Create a verification",
  description:
    "Submits a customer to verification. " +
    "KYC of an individual, KYB of a business. What is missing is no error of the call: the answer then is `RESOLVE_ERRORS` " +
    "and lists it; send the call again when it is mended. In a sandbox the last three digits of a business's " +
    "`registrationNumber` decide: 001 stays IN_PROGRESS, 002 is REJECTED, any other is APPROVED, and the last three " +
    "characters of each owner's `lastName` decide the owner's `kycStatus` with it: 001 PENDING, 002 REJECTED, any other " +
    "APPROVED. A business without a number is judged by what it has brought.",
  body: Type.Object({ customerId: Type.String() }),
  requestExample: { customerId: resolveErrorsExample.customerId },
  answers: {
    200: {
      description: "The verification.",
      schema: VerificationSchema,
      example: resolveErrorsExample,
    },
  },
  events: verificationEvents,
  refusals: ["INVALID_INPUT", "USER_NOT_FOUND", "CONFLICT", "CUSTOMER_DELETED"],
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: submitVerification,
      input: {
        customerId: requireIdField(
          "Customer",
          { field: "customerId", raw: body.customerId },
          "USER_NOT_FOUND",
        ),
      },
      toAnswer: (verification) => ({ status: 200, body: verificationJson(verification) }),
      idempotency,
    }),
});

const listVerifications = listAll({
  ...verifications,
  id: "listVerifications",
  summary: "List verifications",
  filters: {
    customerId: byCustomer,
    verificationStatus: byEnum(verificationStatuses, "t.status = ?::text"),
  },
  list: loadVerifications,
});

const getVerification = getOne({
  ...verifications,
  id: "getVerification",
  summary: "Get a verification",
  param: "verificationId",
  kind: "Verification",
  answer: "The verification.",
  find: findVerification,
});

const decideVerification = defineOperation({
  id: "decideVerification",
  ...route("POST /verifications/{verificationId}/decide", "MANAGE", "verifications.decide"),
  tag: "Verifications",
  summary: "Decide a verification",
  description:
    "Decides a verification that waits for a person. `RESOLVE_ERRORS` sends it back to the customer with what is to be mended. Refused " +
    "with 403 on a platform whose verifications operators decide, as in production unless they say otherwise.",
  params: Type.Object({ verificationId: pathId("Verification") }),
  body: decisionBody,
  requestExample: { outcome: "APPROVED", note: "passport seen" },
  answers: { 200: shown(verifications, "The verification as it was decided.") },
  events: verificationEvents,
  refusals: ["INVALID_INPUT", "FORBIDDEN", "REFERENCE_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  judge: judgeDecision,
  handle: async ({ principal, params, body, idempotency }, services: Services) => {
    const verificationId = requireVerificationId(params.verificationId);
    const { outcome, errors = [], reasonCode: reason = null, note = null } = body;
    const toAnswer = (verification: Verification) => ({
      status: 200,
      body: verificationJson(verification),
    });
    if (!isPerson(principal)) {
      const by = toWireId("Token", principal.tokenId);
      const input = { verificationId, outcome, errors, reason, by, note };
      const command = reviewVerification;
      return submitForCaller(services.engine, principal, { command, input, toAnswer, idempotency });
    }
    const by = toWireId("Person", principal.personId);
    return submitHeld(services, principal, {
      order: decideVerificationOrder,
      content: await decisionContent(services, principal.platformId, { ...body, verificationId }),
      input: { verificationId, outcome, errors, reason, by, note },
      toAnswer: ({ verification }) => toAnswer(verification),
      idempotency,
    });
  },
});

export const verificationOperations = [
  createVerification,
  listVerifications,
  getVerification,
  decideVerification,
];
