import Type from "typebox";
import { submitVerification } from "../../../../domain/customers/verification/submit-verification.ts";
import {
  resolveErrorsExample,
  VerificationSchema,
  verificationJson,
} from "../../../../wire/customers/verification.ts";
import { requireIdField } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const createVerification = defineOperation({
  id: "createVerification",
  method: "POST",
  path: "/verifications",
  access: "MANAGE",
  capability: "customers.write",
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
