/** The immediate result of a submission, and the final result of a check in progress. */

import type { Platform } from "../../platform.ts";
import type { Customer } from "../customer.ts";
import { kybOutcomeOf, kycOutcomeOf } from "../kyc-outcomes.ts";
import { IDENTITY_DOCUMENTS, toDocumentId } from "./document-rules.ts";
import { unmetRequirements, type VerificationCase } from "./requirements.ts";
import type { Verdict, VerificationError, VerificationStatus } from "./verification.ts";

/** A verdict. An IN_PROGRESS verdict says whether a job decides it after a delay. */
export type FirstVerdict = Verdict & { readonly isDecidedLater: boolean };

type Setting = Pick<Platform, "environment">;

/** The unmet requirements of a submission; empty for a business that a sandbox decides by its registration number. */
export function missingBefore(
  { environment }: Setting,
  verificationCase: VerificationCase,
): readonly VerificationError[] {
  const { registrationNumber } = verificationCase.customer.businessInfo ?? {};
  if (environment === "SANDBOX" && registrationNumber !== undefined) return [];
  return unmetRequirements(verificationCase);
}

/**
 * Judges a submission. A sandbox decides a business by its registration number alone, whatever is missing. Any other
 * submission must be complete: RESOLVE_ERRORS lists what is missing.
 */
export function judgeSubmission(
  platform: Setting,
  verificationCase: VerificationCase,
): FirstVerdict {
  const isSandbox = platform.environment === "SANDBOX";
  const { registrationNumber } = verificationCase.customer.businessInfo ?? {};
  if (isSandbox && registrationNumber !== undefined) {
    return { status: businessStatus(registrationNumber), errors: [], isDecidedLater: false };
  }
  const errors = missingBefore(platform, verificationCase);
  if (errors.length > 0) return { status: "RESOLVE_ERRORS", errors, isDecidedLater: false };
  if (isSandbox && verificationCase.customer.customerType === "INDIVIDUAL") {
    return judgePerson(verificationCase);
  }
  return LATER;
}

const LATER: FirstVerdict = { status: "IN_PROGRESS", errors: [], isDecidedLater: true };

/** Judges a person. A name without a special ending is decided after a delay. */
function judgePerson({ customer, documents }: VerificationCase): FirstVerdict {
  const outcome = kycOutcomeOf(customer.fullName);
  if (outcome === "PENDING") {
    return { status: "PENDING_MANUAL_REVIEW", errors: [], isDecidedLater: false };
  }
  if (outcome !== "UNVERIFIED") return LATER;
  const poor = documents.filter(
    ({ type, holderId }) =>
      holderId === customer.id && (IDENTITY_DOCUMENTS as readonly string[]).includes(type),
  );
  return {
    status: "RESOLVE_ERRORS",
    errors: poor.map((document) => ({
      resourceId: toDocumentId(document),
      type: "POOR_QUALITY_DOCUMENT",
      reason: "The image is not good enough to be read.",
    })),
    isDecidedLater: false,
  };
}

function businessStatus(registrationNumber: string): VerificationStatus {
  const outcome = kybOutcomeOf(registrationNumber);
  return outcome === "PENDING" ? "IN_PROGRESS" : outcome;
}

/**
 * The result at the end of the check of a complete submission. A sandbox judges the number or name that the customer has then; in
 * production a person decides.
 */
export function judgeLater(platform: Platform, customer: Customer): VerificationStatus {
  if (platform.environment !== "SANDBOX") return "PENDING_MANUAL_REVIEW";
  const { registrationNumber } = customer.businessInfo ?? {};
  if (registrationNumber !== undefined) return businessStatus(registrationNumber);
  if (customer.customerType === "BUSINESS") return "APPROVED";
  switch (kycOutcomeOf(customer.fullName)) {
    case "REJECTED":
      return "REJECTED";
    case "PENDING":
    case "UNVERIFIED":
      return "PENDING_MANUAL_REVIEW";
    case "APPROVED":
      return "APPROVED";
  }
}
