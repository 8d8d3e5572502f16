/** A verification as the people who decide it see it: beside what the API answers, whose case it is and how it was decided. */
import Type from "typebox";
import { customerTypes, toCustomerId } from "../../domain/customers/customer.ts";
import { toPersonId } from "../../domain/people/person.ts";
import type { VerificationCaseRow } from "../../domain/verification/take-verification.ts";
import {
  rejectionReasons,
  toVerificationId,
  type Verification,
  type VerificationError,
  verificationStatuses,
} from "../../domain/verification/verification.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, optional } from "../fields.ts";
import { VerificationErrorSchema } from "./verification.ts";

export const VerificationCaseSchema = Type.Object(
  {
    id: Type.String({ description: "`Verification:<uuid>`" }),
    customerId: Type.String(),
    customerName: Type.String({ description: "Empty when it is not known." }),
    customerType: Type.Enum([...customerTypes]),
    verificationStatus: Type.Enum([...verificationStatuses]),
    takenBy: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String(), until: DateTimeSchema },
        { description: "The person who alone may decide it until then." },
      ),
    ),
    decision: Type.Optional(
      Type.Object(
        {
          by: Type.String({ description: "A person, a token, or the name that an operator gave." }),
          reasonCode: Type.Optional(Type.Enum([...rejectionReasons])),
          note: Type.Optional(Type.String()),
        },
        { description: "Of a person; a check that the program decided has none." },
      ),
    ),
    unmet: Type.Optional(
      Type.Array(VerificationErrorSchema, {
        description:
          "The requirements that the customer's data do not meet now. Of one case alone.",
      }),
    ),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "VerificationCase" },
);

export interface CaseMore {
  /** In platform time. */
  readonly at: number;
  readonly unmet?: readonly VerificationError[];
}

export function verificationCaseJson(
  { verification, customerName, customerType }: VerificationCaseRow,
  { at, unmet }: CaseMore,
): string {
  const { decidedBy, decisionNote, decisionReason } = verification;
  return JSON.stringify({
    id: toVerificationId(verification.id),
    customerId: toCustomerId(verification.customerId),
    customerName,
    customerType,
    verificationStatus: verification.status,
    ...takenOf(verification, at),
    ...(decidedBy === null
      ? {}
      : {
          decision: {
            by: decidedBy,
            ...optional("reasonCode", decisionReason),
            ...optional("note", decisionNote),
          },
        }),
    ...(unmet === undefined ? {} : { unmet }),
    createdAt: toIso(verification.createdAt),
    updatedAt: toIso(verification.updatedAt),
  });
}

/** Nothing when the lease has run out. */
function takenOf({ takenBy, takenByName, takenUntil }: Verification, at: number) {
  if (takenBy === null || takenUntil === null || takenUntil <= at) return {};
  return {
    takenBy: { id: toPersonId(takenBy), name: takenByName ?? "", until: toIso(takenUntil) },
  };
}

export const verificationCaseExample = {
  id: "Verification:019a4f00-0000-7000-8000-000000000012",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
  customerName: "Ana Ruiz",
  customerType: "INDIVIDUAL",
  verificationStatus: "PENDING_MANUAL_REVIEW",
  takenBy: {
    id: "Person:019a4f00-0000-7000-8000-000000000020",
    name: "Ada Lovelace",
    until: "2026-11-21T09:15:00.000Z",
  },
  createdAt: "2026-11-21T09:00:00.000Z",
  updatedAt: "2026-11-21T09:05:00.000Z",
};
