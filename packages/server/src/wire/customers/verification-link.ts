import Type from "typebox";
import type { VerificationLink } from "../../domain/customers/verification/verification-link.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { DateTimeSchema } from "../fields.ts";

export const VerificationLinkSchema = Type.Object(
  {
    kycUrl: Type.String({
      ...sensitive,
      description: "The pages to send the customer to. Shown only once.",
    }),
    expiresAt: DateTimeSchema,
    provider: Type.Enum(["FLORIN"], {
      description: "Who asks for the data and shows the pages: this deployment. More may come.",
    }),
  },
  { $id: "VerificationLink" },
);

export function verificationLinkJson({ expiresAt }: VerificationLink, kycUrl: string): string {
  return JSON.stringify({ kycUrl, expiresAt: toIso(expiresAt), provider: "FLORIN" });
}

export const verificationLinkExample = {
  kycUrl: `https://pay.example/verify/${"5f0c2a9be47d1836".repeat(4)}?redirectUri=https%3A%2F%2Fapp.example%2Fverified`,
  expiresAt: "2026-11-22T10:00:00.000Z",
  provider: "FLORIN",
};
