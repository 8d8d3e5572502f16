/**
 * Why a payment failed. `failureReason` is the coarse public list; `failure` explains it to an operator: a code, a sentence, and the stage
 * at which the payment failed. Where a rail declined the payment, `rail` has the rail's own code and text.
 */
import { toIso } from "../../../std/clock.ts";

export const failureReasons = [
  "QUOTE_EXECUTION_FAILED",
  "COUNTERPARTY_POST_TX_FAILED",
  "FUNDING_AMOUNT_MISMATCH",
  "QUOTE_EXPIRED",
  "PAY_REQUEST_FAILED",
  "PAYMENT_APPROVAL_WEBHOOK_ERROR",
  "PAYMENT_APPROVAL_TIMED_OUT",
  "MISSING_MANDATORY_PAYEE_DATA",
  "OFFRAMP_FAILED",
  "ACCOUNT_INVALID",
  "ACCOUNT_CANNOT_RECEIVE",
  "COMPLIANCE_REJECTED",
  "LIMIT_EXCEEDED",
  "PAYOUT_RETURNED",
  "COLLECTION_FAILED",
  "LIGHTNING_PAYMENT_FAILED",
] as const;

export type FailureReason = (typeof failureReasons)[number];

export const failureCodes = [
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_CLOSED",
  "ACCOUNT_INVALID",
  "REJECTED_BY_BANK",
  "TIMED_OUT",
  "RETURNED_BY_BANK",
  "CANCELLED",
  "DELIVERY_FAILED",
  "REFUND_FAILED",
  "COMPLIANCE",
  "FUNDING_MISMATCH",
  "QUOTE_FAILED",
  "RECEIVER_REFUSED",
  "UNKNOWN",
] as const;

export type FailureCode = (typeof failureCodes)[number];

export const failureStages = [
  "ACCEPTANCE",
  "COLLECTION",
  "EXCHANGE",
  "PAYOUT",
  "RETURN",
  "REFUND",
] as const;

export type FailureStage = (typeof failureStages)[number];

/** The cause of a failure, without its stage and time. */
export type FailureCause = {
  readonly code: FailureCode;
  /** A sentence for an operator. */
  readonly message: string;
  /** The code and text that the rail sent. */
  readonly rail?: { readonly scheme: string; readonly code: string; readonly text: string };
};

export type Failure = FailureCause & {
  readonly stage: FailureStage;
  /** Platform time, ISO 8601. */
  readonly at: string;
};

/** What a command knows of a failure. Without a cause, the reason's usual one is recorded. */
export interface FailureFacts {
  readonly failureReason: FailureReason;
  readonly cause?: FailureCause | undefined;
}

/** The members of a transaction that failed. */
export function failedAt(
  stage: FailureStage,
  { failureReason, cause }: FailureFacts,
  at: number,
): { readonly failureReason: FailureReason; readonly failure: Failure } {
  return { failureReason, failure: failureOf(stage, cause ?? usualCauses[failureReason], at) };
}

export function failureOf(
  stage: FailureStage,
  { code, message, rail }: FailureCause,
  at: number,
): Failure {
  const failure = { code, message, stage, at: toIso(at) };
  return rail === undefined ? failure : { ...failure, rail };
}

export const usualCauses: Readonly<Record<FailureReason, FailureCause>> = {
  QUOTE_EXECUTION_FAILED: {
    code: "QUOTE_FAILED",
    message: "The payment could not be carried out.",
  },
  COUNTERPARTY_POST_TX_FAILED: {
    code: "DELIVERY_FAILED",
    message: "The payment could not be delivered to the receiver.",
  },
  FUNDING_AMOUNT_MISMATCH: {
    code: "FUNDING_MISMATCH",
    message: "The amount that arrived is not the amount that the quote asked for.",
  },
  QUOTE_EXPIRED: {
    code: "TIMED_OUT",
    message: "The quote expired before it was executed or funded.",
  },
  PAY_REQUEST_FAILED: {
    code: "RECEIVER_REFUSED",
    message: "The receiving platform rejected the payment.",
  },
  PAYMENT_APPROVAL_WEBHOOK_ERROR: {
    code: "UNKNOWN",
    message: "The webhook endpoint gave no usable answer to the approval request.",
  },
  PAYMENT_APPROVAL_TIMED_OUT: {
    code: "TIMED_OUT",
    message: "The approval request was not answered before its deadline.",
  },
  MISSING_MANDATORY_PAYEE_DATA: {
    code: "RECEIVER_REFUSED",
    message: "The approval lacks mandatory data about the receiver.",
  },
  OFFRAMP_FAILED: {
    code: "DELIVERY_FAILED",
    message: "The payment arrived but could not be put on the receiver's account.",
  },
  ACCOUNT_INVALID: {
    code: "ACCOUNT_INVALID",
    message: "The bank says that the account's details are wrong or that it is closed.",
  },
  ACCOUNT_CANNOT_RECEIVE: {
    code: "REJECTED_BY_BANK",
    message: "The bank says that the account cannot take this payment.",
  },
  COMPLIANCE_REJECTED: {
    code: "COMPLIANCE",
    message: "The payment was stopped by a compliance check.",
  },
  LIMIT_EXCEEDED: {
    code: "REJECTED_BY_BANK",
    message: "The payment is above a limit of the bank or the provider.",
  },
  PAYOUT_RETURNED: {
    code: "RETURNED_BY_BANK",
    message: "The receiving bank sent the payment back after it had arrived.",
  },
  COLLECTION_FAILED: {
    code: "REJECTED_BY_BANK",
    message: "The money could not be collected from the external account.",
  },
  LIGHTNING_PAYMENT_FAILED: {
    code: "DELIVERY_FAILED",
    message: "The invoice could not be paid over Lightning.",
  },
};

/** Causes that arise here and not at a rail. */
export const causes = {
  accountFull: {
    code: "ACCOUNT_INVALID",
    message:
      "The internal account cannot take the amount: it would hold too much, or its customer was deleted.",
  },
  destinationGone: {
    code: "ACCOUNT_CLOSED",
    message: "The destination account is no longer active.",
  },
  notBooked: {
    code: "UNKNOWN",
    message: "The rail settled the payment but the books have no room for it.",
  },
  noRail: {
    code: "UNKNOWN",
    message: "No connection of the platform could take the payout when its money had come.",
  },
  cancelled: { code: "CANCELLED", message: "The payment was cancelled before it arrived." },
  refundFailed: {
    code: "REFUND_FAILED",
    message: "The payment failed and its refund failed too; the money is set aside.",
  },
  receiverRefused: {
    code: "RECEIVER_REFUSED",
    message: "The receiving platform refused the payment, or no customer has the address.",
  },
  compliance: {
    code: "COMPLIANCE",
    message: "The payment was stopped by a compliance check.",
  },
} as const satisfies Readonly<Record<string, FailureCause>>;
