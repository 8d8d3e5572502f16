import { randomBytes } from "node:crypto";
import Type from "typebox";
import { createVerificationLink } from "../../../domain/customers/verification/create-verification-link.ts";
import {
  hashLinkCode,
  LINK_CODE_BYTES,
} from "../../../domain/customers/verification/verification-link.ts";
import { wireVerificationLink } from "../../../wire/customers/verification.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import { shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { linkUrl, redirectFault } from "../../request/verification-links.ts";

const LONGEST_URI = 2048;

export const createKycLink = defineOperation({
  id: "createKycLink",
  ...route("POST /customers/{customerId}/kyc-link", "MANAGE", "customers.write"),
  tag: "Verifications",
  summary: "Create a KYC link",
  description:
    "The link opens pages on which the customer brings what the verification needs. " +
    "Send the customer to `kycUrl`: KYC of an individual, KYB of a business. The pages show what is missing, take fields, " +
    "owners and documents, submit the customer as `POST /verifications` does, and send the browser to `redirectUri`. A " +
    "link lives for 24 hours and ends with the first submission that is accepted. Each call makes another one; those before " +
    "stay. The call itself changes nothing about the customer. A production platform needs a deployment whose PUBLIC_URL " +
    "is set. The pages are in the language of the browser; a parameter `lang=en`, `es` or `pt` added to `kycUrl` sets another.",
  params: Type.Object({ customerId: pathId("Customer") }),
  body: Type.Object({
    redirectUri: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_URI,
        description: "`https`; in a sandbox also `http` on loopback.",
      }),
    ),
  }),
  bodyOptional: true,
  requestExample: { redirectUri: "https://app.example/verified" },
  answers: {
    201: shown(wireVerificationLink, "The link."),
  },
  refusals: [
    "INVALID_INPUT",
    "VERIFICATION_LINKS_NOT_CONFIGURED",
    "USER_NOT_FOUND",
    "CUSTOMER_DELETED",
  ],
  judge({ redirectUri }, { principal }) {
    if (typeof redirectUri !== "string") return { ok: true, value: undefined };
    const message = redirectFault(redirectUri, principal.environment);
    if (message !== undefined) return { ok: false, errors: [{ field: "redirectUri", message }] };
    return { ok: true, value: new URL(redirectUri).href };
  },
  async handle({ principal, params, judged: redirectUri, idempotency }, services: Services) {
    const code = randomBytes(LINK_CODE_BYTES).toString("hex");
    return submitForCaller(services.engine, principal, {
      command: createVerificationLink,
      input: {
        customerId: requireId("Customer", params.customerId, "USER_NOT_FOUND"),
        codeHash: hashLinkCode(code),
        redirectUri,
        hasPublicUrl: services.hasPublicUrl,
      },
      toAnswer: (link) => ({
        status: 201,
        body: wireVerificationLink.json(link, linkUrl(code, link, services)),
      }),
      idempotency,
      secret: true,
    });
  },
});
