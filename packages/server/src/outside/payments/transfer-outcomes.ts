/**
 * What becomes of a sandbox transfer, by the last three digits of the external account's primary identifier. Digits that
 * are not listed succeed. The same digits mean other things for quotes, and those from 1xx only steer name checks.
 */
import type { FailureReason, Refund } from "../../domain/transactions/transaction.ts";

export type TransferOutcome =
  /** Fails before any money moves: the answer to the call already says FAILED. */
  | { readonly kind: "fails-at-once"; readonly failureReason: FailureReason }
  /** The bank takes it up and rejects it. */
  | {
      readonly kind: "declined";
      readonly failureReason: FailureReason;
      readonly refundReason: Refund["reason"];
    }
  /** Nothing is heard for a while, then it turns out to have failed. */
  | {
      readonly kind: "silent";
      readonly seconds: number;
      readonly failureReason: FailureReason;
      readonly refundReason: Refund["reason"];
    };

export const transferOutcomes: ReadonlyMap<string, TransferOutcome> = new Map<
  string,
  TransferOutcome
>([
  ["002", { kind: "fails-at-once", failureReason: "QUOTE_EXECUTION_FAILED" }],
  ["003", { kind: "fails-at-once", failureReason: "COUNTERPARTY_POST_TX_FAILED" }],
  [
    "004",
    {
      kind: "declined",
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refundReason: "TRANSACTION_FAILED",
    },
  ],
  [
    "005",
    {
      kind: "silent",
      seconds: 30,
      failureReason: "COUNTERPARTY_POST_TX_FAILED",
      refundReason: "TIMEOUT",
    },
  ],
]);
