import Type from "typebox";
import { decideVerificationOrder } from "../../../domain/approvals/held-verifications.ts";
import { reviewVerification } from "../../../domain/verification/review-verification.ts";
import {
  rejectionReasons,
  type Verification,
  verificationErrorTypes,
} from "../../../domain/verification/verification.ts";
import { invalid } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import { judgementOf } from "../../../validation/validation.ts";
import {
  VerificationSchema,
  verificationExample,
  verificationJson,
} from "../../../wire/customers/verification.ts";
import { filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { defineOperation, isPerson } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { decisionContent, requireVerificationId } from "./held-decision.ts";

const DecisionErrorSchema = Type.Object({
  resourceId: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        "The customer, one of its owners, or one of their documents. The customer when absent.",
    }),
  ),
  type: Type.Enum([...verificationErrorTypes]),
  reason: filledText(500),
  field: Type.Optional(Type.String({ maxLength: 200, description: "Dot path to the field." })),
});

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
    "with 403 on a platform whose verifications the operator decides, as in production unless the operator says otherwise.",
  params: Type.Object({ verificationId: pathId("Verification") }),
  body: Type.Object({
    outcome: Type.Enum(["APPROVED", "REJECTED", "RESOLVE_ERRORS"]),
    errors: Type.Optional(
      Type.Array(DecisionErrorSchema, {
        minItems: 1,
        maxItems: 50,
        description: "With `RESOLVE_ERRORS`, and with it alone.",
      }),
    ),
    reasonCode: Type.Optional(
      Type.Enum([...rejectionReasons], { description: "With `REJECTED` alone." }),
    ),
    note: Type.Optional(
      Type.String({ maxLength: 500, description: "For people who look at it later." }),
    ),
  }),
  requestExample: { outcome: "APPROVED", note: "passport seen" },
  answers: {
    200: {
      description: "The verification as it was decided.",
      schema: VerificationSchema,
      example: verificationExample,
    },
  },
  refusals: ["INVALID_INPUT", "FORBIDDEN", "REFERENCE_NOT_FOUND", "CUSTOMER_DELETED", "CONFLICT"],
  judge({ outcome, errors, reasonCode }) {
    const faults = [
      ...(outcome === "RESOLVE_ERRORS" && errors === undefined
        ? [invalid("errors", "is required with RESOLVE_ERRORS")]
        : []),
      ...(outcome !== "RESOLVE_ERRORS" && errors !== undefined
        ? [invalid("errors", "belongs to RESOLVE_ERRORS alone")]
        : []),
      ...(outcome !== "REJECTED" && reasonCode !== undefined
        ? [invalid("reasonCode", "belongs to REJECTED alone")]
        : []),
    ];
    return judgementOf(faults);
  },
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
