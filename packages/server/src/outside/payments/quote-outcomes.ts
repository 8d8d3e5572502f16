/**
 * The outcome of a sandbox quote that is paid to an external account, by the last three digits of the account's primary identifier.
 * Digits that are not listed succeed. Transfers have another table, with other outcomes for the same digits.
 */
import type { FailureCause, FailureReason } from "../../domain/payments/transactions/failure.ts";
import { simulatedCause } from "./transfer-outcomes.ts";

export type QuoteOutcome =
  /** Accepted, then failed. */
  | {
      readonly kind: "declined";
      readonly failureReason: FailureReason;
      readonly cause: FailureCause;
      /** Why the payment cannot be refunded; undefined when it can. */
      readonly refundCause?: FailureCause;
    }
  /** Settles after a delay. */
  | { readonly kind: "slow"; readonly seconds: number }
  /** Settles and is returned after a delay. */
  | {
      readonly kind: "returned";
      readonly seconds: number;
      readonly failureReason: FailureReason;
      readonly cause: FailureCause;
    }
  /** Cancelled by the user. */
  | { readonly kind: "cancelled"; readonly cause: FailureCause };

const notDelivered = (suffix: string) =>
  simulatedCause("DELIVERY_FAILED", suffix, "The payment could not be delivered to the receiver.");

export const quoteOutcomes: ReadonlyMap<string, QuoteOutcome> = new Map<string, QuoteOutcome>([
  [
    "002",
    {
      kind: "declined",
      failureReason: "QUOTE_EXECUTION_FAILED",
      cause: simulatedCause("QUOTE_FAILED", "002", "The quote could not be carried out."),
    },
  ],
  ["003", { kind: "slow", seconds: 360 }],
  [
    "004",
    {
      kind: "declined",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: notDelivered("004"),
    },
  ],
  [
    "005",
    {
      kind: "returned",
      seconds: 5,
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: simulatedCause("RETURNED_BY_BANK", "005", "The receiving bank sent the payment back."),
    },
  ],
  [
    "006",
    {
      kind: "cancelled",
      cause: simulatedCause("CANCELLED", "006", "The payment was cancelled before it arrived."),
    },
  ],
  [
    "007",
    {
      kind: "declined",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      cause: notDelivered("007"),
      refundCause: simulatedCause("REFUND_FAILED", "007", "The refund could not be paid back."),
    },
  ],
]);
