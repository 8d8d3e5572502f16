import Type from "typebox";
import {
  type Verification,
  verificationErrorTypes,
  verificationStatuses,
} from "../../domain/customers/verification/verification.ts";
import type { VerificationLink } from "../../domain/customers/verification/verification-link.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

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

export const {
  schema: VerificationSchema,
  json: verificationJson,
  example: verificationExample,
} = wireObject("Verification", ({ of }: Kit<Verification>) => ({
  id: of.id("Verification", { description: "`Verification:<uuid>`", example: 12 }),
  customerId: of.id("Customer", { example: 10 }),
  verificationStatus: of.enum(verificationStatuses, { from: "status", example: "APPROVED" }),
  errors: of.json(Type.Array(VerificationErrorSchema), { example: [] }),
  createdAt: of.time({ example: "2026-11-21T09:05:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T09:05:00.000Z" }),
}));

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

export const wireVerificationLink = wireObject(
  "VerificationLink",
  ({ of }: Kit<VerificationLink, string>) => ({
    kycUrl: of.text({
      from: (_, kycUrl) => kycUrl,
      ...sensitive,
      description: "The pages to send the customer to. Shown only once.",
      example: `https://pay.example/verify/${"5f0c2a9be47d1836".repeat(4)}?redirectUri=https%3A%2F%2Fapp.example%2Fverified`,
    }),
    expiresAt: of.time({ example: "2026-11-22T10:00:00.000Z" }),
    provider: of.enum(["FLORIN"], {
      from: () => "FLORIN",
      description: "Who asks for the data and shows the pages: this deployment. More may come.",
      example: "FLORIN",
    }),
  }),
);
