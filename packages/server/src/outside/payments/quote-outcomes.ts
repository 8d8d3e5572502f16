/**
 * What becomes of a sandbox quote that is paid to an external account, by the last three digits of the account's primary
 * identifier. Digits that are not listed succeed. Transfers have a table of their own: the same digits differ.
 */
import type { FailureReason } from "../../domain/transactions/transaction.ts";

export type QuoteOutcome =
  /** Accepted, then failed. */
  | {
      readonly kind: "declined";
      readonly failureReason: FailureReason;
      /** Whether the payment can be refunded. */
      readonly isRefundable: boolean;
    }
  /** Settles after a delay. */
  | { readonly kind: "slow"; readonly seconds: number }
  /** Settles and is returned after a delay. */
  | { readonly kind: "returned"; readonly seconds: number; readonly failureReason: FailureReason }
  /** Cancelled by the user. */
  | { readonly kind: "cancelled" };

export const quoteOutcomes: ReadonlyMap<string, QuoteOutcome> = new Map<string, QuoteOutcome>([
  ["002", { kind: "declined", failureReason: "QUOTE_EXECUTION_FAILED", isRefundable: true }],
  ["003", { kind: "slow", seconds: 360 }],
  ["004", { kind: "declined", failureReason: "COUNTERPARTY_POST_TX_FAILED", isRefundable: true }],
  ["005", { kind: "returned", seconds: 5, failureReason: "COUNTERPARTY_POST_TX_FAILED" }],
  ["006", { kind: "cancelled" }],
  ["007", { kind: "declined", failureReason: "COUNTERPARTY_POST_TX_FAILED", isRefundable: false }],
]);
