/**
 * A verification: one submission of a customer for its checks, and the result.
 *
 * IN_PROGRESS            complete and being checked; leaves to a decision, to a person, or back to the platform
 * PENDING_MANUAL_REVIEW  a person decides; leaves to a decision, or back to the platform
 * RESOLVE_ERRORS         something is missing or wrong, as `errors` list; final: the next submission is another one
 * APPROVED               decided; final
 * REJECTED               decided; final, unless people of the platform override it: `approveRejected`
 *
 * A customer has at most one that is open, IN_PROGRESS or PENDING_MANUAL_REVIEW: another submission reuses it.
 */
import { assert } from "../../../std/assert.ts";
import { defineLookup, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import type { EventType } from "../../event-catalogue.ts";

export type VerificationStatus =
  | "RESOLVE_ERRORS"
  | "IN_PROGRESS"
  | "PENDING_MANUAL_REVIEW"
  | "APPROVED"
  | "REJECTED";

/** `READY_FOR_VERIFICATION` is a value of the API that this version never returns. */
export const verificationStatuses = [
  "RESOLVE_ERRORS",
  "IN_PROGRESS",
  "PENDING_MANUAL_REVIEW",
  "APPROVED",
  "REJECTED",
  "READY_FOR_VERIFICATION",
] as const;

export const verificationErrorTypes = [
  "MISSING_FIELD",
  "INVALID_FIELD",
  "MISSING_LEGAL_PRESENCE_DOCUMENT",
  "MISSING_CONTROL_STRUCTURE_DOCUMENT",
  "MISSING_OWNERSHIP_STRUCTURE_DOCUMENT",
  "MISSING_PROOF_OF_ADDRESS_DOCUMENT",
  "MISSING_IDENTITY_DOCUMENT",
  "MISSING_GOOD_STANDING_DOCUMENT",
  "INVALID_DOCUMENT",
  "EXPIRED_DOCUMENT",
  "POOR_QUALITY_DOCUMENT",
  "SUSPECTED_FRAUD_DOCUMENT",
  "WRONG_DOCUMENT_TYPE",
  "INCOMPLETE_DOCUMENT",
  "UNREADABLE_DOCUMENT",
  "DOCUMENT_VERIFICATION_FAILED",
  "APPLICANT_SANCTIONED",
  "APPLICANT_FRAUD",
  "APPLICANT_CRIMINAL_RECORD",
  "APPLICANT_REJECTED",
  "MISSING_BENEFICIAL_OWNER",
  "MISSING_CONTROL_PERSON",
] as const;
export type VerificationErrorType = (typeof verificationErrorTypes)[number];

/** Why a person rejected a customer. */
export const rejectionReasons = [
  "APPLICANT_SANCTIONED",
  "APPLICANT_FRAUD",
  "APPLICANT_CRIMINAL_RECORD",
  "APPLICANT_REJECTED",
] as const satisfies readonly VerificationErrorType[];

export type RejectionReason = (typeof rejectionReasons)[number];

export interface VerificationError {
  /** Wire id of the customer, owner or document that it is about. */
  readonly resourceId: string;
  readonly type: VerificationErrorType;
  readonly reason: string;
  /** Dot path to the field, where it is about one. */
  readonly field?: string;
  /** Any one of these documents would do. */
  readonly acceptedDocumentTypes?: readonly string[];
}

const columns = {
  id: fixed("uuid"),
  customerId: fixed("uuid"),
  status: mutable<VerificationStatus>("text"),
  errors: mutable<readonly VerificationError[]>("json"),
  /** The person who decided it and what that person noted; null when the program decided, and while it is open. */
  decidedBy: mutable<string | null>("text"),
  decisionNote: mutable<string | null>("text"),
  decisionReason: mutable<RejectionReason | null>("text"),
  /** The person who took the case last, and until when no other person may decide it; null before the first one did. */
  takenBy: mutable<string | null>("uuid"),
  takenByName: mutable<string | null>("text"),
  takenUntil: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Verification extends RowOf<typeof columns> {}

export const verifications = defineTable<Verification>("verifications", columns, {
  isFinal: ({ status }) => !isOpen(status),
});

export function isOpen(status: VerificationStatus): boolean {
  return status === "IN_PROGRESS" || status === "PENDING_MANUAL_REVIEW";
}

/** A customer has at most one open verification. */
export const openVerificationOfCustomer = defineLookup(verifications, {
  by: "customerId",
  where: {
    sql: "t.status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW')",
    holds: ({ status }) => isOpen(status),
  },
});

/** The transitions of each status. */
const WAYS_OUT: Readonly<Record<VerificationStatus, readonly VerificationStatus[]>> = {
  IN_PROGRESS: ["PENDING_MANUAL_REVIEW", "APPROVED", "REJECTED", "RESOLVE_ERRORS"],
  PENDING_MANUAL_REVIEW: ["APPROVED", "REJECTED", "RESOLVE_ERRORS"],
  RESOLVE_ERRORS: [],
  APPROVED: [],
  REJECTED: [],
};

export function mayBecome(from: VerificationStatus, to: VerificationStatus): boolean {
  return WAYS_OUT[from].includes(to);
}

/** The result of a check. */
export interface Verdict {
  readonly status: VerificationStatus;
  /** Empty unless the status is RESOLVE_ERRORS. */
  readonly errors: readonly VerificationError[];
}

export function moveVerification(
  verification: Verification,
  { status, errors }: Verdict,
  at: number,
): Verification {
  assert(
    mayBecome(verification.status, status),
    `no way leads from ${verification.status} to ${status}`,
  );
  return { ...verification, status, errors, updatedAt: at };
}

/** The verification once people have overridden its rejection. */
export function approveRejected(verification: Verification, at: number): Verification {
  const { status } = verification;
  assert(status === "REJECTED", `a rejection is overridden, and the verification is ${status}`);
  return { ...verification, status: "APPROVED", updatedAt: at };
}

/** The event of each status. */
export const verificationEvents: Readonly<Record<VerificationStatus, EventType>> = {
  RESOLVE_ERRORS: "VERIFICATION.RESOLVE_ERRORS",
  IN_PROGRESS: "VERIFICATION.IN_PROGRESS",
  PENDING_MANUAL_REVIEW: "VERIFICATION.PENDING_MANUAL_REVIEW",
  APPROVED: "VERIFICATION.APPROVED",
  REJECTED: "VERIFICATION.REJECTED",
};

export function toVerificationId(id: string): string {
  return `Verification:${id}`;
}

export interface VerificationSubject {
  readonly kind: "Verification";
  readonly id: string;
  readonly verification: Verification;
}

export function verificationSubject(verification: Verification): VerificationSubject {
  return { kind: "Verification", id: toVerificationId(verification.id), verification };
}
