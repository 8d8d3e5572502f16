/**
 * The outcome of a sandbox transfer, by the last three digits of the external account's primary identifier. Digits that are
 * not listed succeed. Quotes have another table; digits from 1xx only determine the outcome of name checks.
 */
import type {
  FailureCause,
  FailureCode,
  FailureReason,
} from "../../domain/payments/transactions/failure.ts";
import type { Refund } from "../../domain/payments/transactions/transaction.ts";

/** A cause as the simulated rail reports it: its code is the suffix that decided the outcome. */
export function simulatedCause(code: FailureCode, suffix: string, message: string): FailureCause {
  return { code, message, rail: { scheme: "SANDBOX", code: suffix, text: message } };
}

export type TransferOutcome =
  /** Fails before any money moves: the answer to the call already says FAILED. */
  | {
      readonly kind: "fails-at-once";
      readonly failureReason: FailureReason;
      readonly cause: FailureCause;
    }
  /** The bank accepts it and then rejects it. */
  | {
      readonly kind: "declined";
      readonly failureReason: FailureReason;
      readonly cause: FailureCause;
      readonly refundReason: Refund["reason"];
    }
  /** The outcome is unknown for a while, then failed. */
  | {
      readonly kind: "silent";
      readonly seconds: number;
      readonly failureReason: FailureReason;
      readonly cause: FailureCause;
      readonly refundReason: Refund["reason"];
    };

export const transferOutcomes: ReadonlyMap<string, TransferOutcome> = new Map<
  string,
  TransferOutcome
>([
  [
    "002",
    {
      kind: "fails-at-once",
      failureReason: "QUOTE_EXECUTION_FAILED",
      cause: simulatedCause(
        "INSUFFICIENT_FUNDS",
        "002",
        "The paying account has too little money.",
      ),
    },
  ],
  [
    "003",
    {
      kind: "fails-at-once",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: simulatedCause("ACCOUNT_CLOSED", "003", "The external account is closed."),
    },
  ],
  [
    "004",
    {
      kind: "declined",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: simulatedCause("REJECTED_BY_BANK", "004", "The bank rejected the transfer."),
      refundReason: "TRANSACTION_FAILED",
    },
  ],
  [
    "005",
    {
      kind: "silent",
      seconds: 30,
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: simulatedCause("TIMED_OUT", "005", "The bank did not answer in time."),
      refundReason: "TIMEOUT",
    },
  ],
]);
