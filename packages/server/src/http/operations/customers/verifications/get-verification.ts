import Type from "typebox";
import { findVerification } from "../../../../domain/customers/verification/verification.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import {
  VerificationSchema,
  verificationExample,
  verificationJson,
} from "../../../../wire/customers/verification.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getVerification = defineOperation({
  id: "getVerification",
  method: "GET",
  path: "/verifications/{verificationId}",
  access: "VIEW",
  capability: "customers.read",
  tag: "Verifications",
  summary: "Get a verification",
  params: Type.Object({ verificationId: pathId("Verification") }),
  answers: {
    200: {
      description: "The verification.",
      schema: VerificationSchema,
      example: verificationExample,
    },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads }: Services) {
    const id = requireId("Verification", params.verificationId, "REFERENCE_NOT_FOUND");
    const verification = await findVerification(reads, principal.platformId, id);
    if (verification === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return { status: 200, body: verificationJson(verification) };
  },
});
