import type { VerificationLink } from "../../domain/customers/verification/verification-link.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

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
