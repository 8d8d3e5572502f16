import Type from "typebox";
import { toCustomerId } from "../../domain/customers/customer.ts";
import {
  toVerificationId,
  type Verification,
  verificationErrorTypes,
  verificationStatuses,
} from "../../domain/customers/verification/verification.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema } from "../fields.ts";

export const VerificationErrorSchema = Type.Object(
  {
    resourceId: Type.String({ description: "The customer, beneficial owner or document." }),
    type: Type.Enum([...verificationErrorTypes]),
    reason: Type.String(),
    field: Type.Optional(Type.String({ description: "Dot path to the field." })),
    acceptedDocumentTypes: Type.Optional(Type.Array(Type.String())),
  },
  { $id: "VerificationError" },
);

export const VerificationSchema = Type.Object(
  {
    id: Type.String({ description: "`Verification:<uuid>`" }),
    customerId: Type.String(),
    verificationStatus: Type.Enum([...verificationStatuses]),
    errors: Type.Array(VerificationErrorSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Verification" },
);

export function verificationJson(verification: Verification): string {
  const { id, customerId, status, errors, createdAt, updatedAt } = verification;
  return JSON.stringify({
    id: toVerificationId(id),
    customerId: toCustomerId(customerId),
    verificationStatus: status,
    errors,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  });
}

export const verificationExample = {
  id: "Verification:019a4f00-0000-7000-8000-000000000012",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
  verificationStatus: "APPROVED",
  errors: [],
  createdAt: "2026-11-21T09:05:00.000Z",
  updatedAt: "2026-11-21T09:05:00.000Z",
};

export const resolveErrorsExample = {
  ...verificationExample,
  verificationStatus: "RESOLVE_ERRORS",
  errors: [
    {
      resourceId: verificationExample.customerId,
      type: "MISSING_FIELD",
      reason: "customer.address.line1 is missing.",
      field: "customer.address.line1",
    },
    {
      resourceId: verificationExample.customerId,
      type: "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
      reason: "A document is needed that shows who owns the business.",
      acceptedDocumentTypes: ["SHAREHOLDER_REGISTER", "TRUST_AGREEMENT", "PARTNERSHIP_AGREEMENT"],
    },
  ],
};
