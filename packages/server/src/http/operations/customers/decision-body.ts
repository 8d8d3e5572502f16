/** The decision of a reviewer, who acts for a workspace or as an operator. */
import Type from "typebox";
import {
  rejectionReasons,
  verificationErrorTypes,
} from "../../../domain/customers/verification/verification.ts";
import { invalid } from "../../../engine/refusal.ts";
import type { JsonObject } from "../../../std/json.ts";
import { type Judgement, judgementOf } from "../../../validation/validation.ts";
import { filledText } from "../../../wire/fields.ts";

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

export const decisionBody = Type.Object({
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
});

export function judgeDecision({ outcome, errors, reasonCode }: JsonObject): Judgement<undefined> {
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
}
