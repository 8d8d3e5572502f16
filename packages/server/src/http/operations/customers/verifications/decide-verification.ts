import Type from "typebox";
import { reviewVerification } from "../../../../domain/customers/verification/review-verification.ts";
import type { Verification } from "../../../../domain/customers/verification/verification.ts";
import { decideVerificationOrder } from "../../../../domain/people/approvals/held-verifications.ts";
import { toWireId } from "../../../../std/ids.ts";
import {
  VerificationSchema,
  verificationExample,
  verificationJson,
} from "../../../../wire/customers/verification.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation, isPerson } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { decisionBody, judgeDecision } from "./decision-body.ts";
import { decisionContent, requireVerificationId } from "./held-decision.ts";

export const decideVerification = defineOperation({
  id: "decideVerification",
  method: "POST",
  path: "/verifications/{verificationId}/decide",
  access: "MANAGE",
  capability: "verifications.decide",
  tag: "Verifications",
  summary: "Decide a verification",
  description:
    "Decides a verification that waits for a person. `RESOLVE_ERRORS` sends it back to the customer with what is to be mended. Refused " +
    "with 403 on a platform whose verifications operators decide, as in production unless they say otherwise.",
  params: Type.Object({ verificationId: pathId("Verification") }),
  body: decisionBody,
  requestExample: { outcome: "APPROVED", note: "passport seen" },
  answers: {
    200: {
      description: "The verification as it was decided.",
      schema: VerificationSchema,
      example: verificationExample,
    },
  },
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
