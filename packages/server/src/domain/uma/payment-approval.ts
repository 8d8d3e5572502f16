/**
 * A platform's approval of an incoming UMA payment. The first of these decides it: the answer to the webhook that asks, a call of approve
 * or reject, or the deadline.
 *
 *   APPROVED   the payment goes on
 *   REJECTED   the platform does not want it
 *   FAILED     the platform's answer could not be used, or lacked what the sender's institution must know
 *   TIMED_OUT  no decision came in time
 */
import type { Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { finderOf } from "../../tables/find-row.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../tables/tables.ts";
import type { CustomerInfo, RequestedField } from "../customers/customer-info.ts";
import { type Transaction, transactions } from "../payments/transactions/transaction.ts";
import type { CounterpartyOutcome } from "./counterparties.ts";

/** The time from the commit to the deadline. The webhook's round trip and a call of approve or reject must fit in. */
export const APPROVAL_BUDGET_MS = 5_000;

export type ApprovalDecision = "APPROVED" | "REJECTED" | "FAILED" | "TIMED_OUT";

/**
 * `invoice`: the payer's institution is outside, and the payment waits for an entry that pays its invoice. `in-house`: the payer is a customer
 * of the same platform, and the payment settles with the payer's quote.
 */
export type ApprovedOutcome =
  | CounterpartyOutcome
  | { readonly kind: "invoice" }
  | { readonly kind: "in-house"; readonly quoteId: string; readonly transactionId: string };

const columns = {
  /** The transaction's id. */
  id: fixed("uuid"),
  /** The event that asks for the approval. A job delivers it, not the stream. */
  eventSeq: fixed("int8"),
  /** The job that asks and enforces the deadline; after an approval, the job that continues the payment. */
  jobId: mutable("uuid"),
  /** The receiver's data that the sender's institution requests. */
  requestedFields: fixed<readonly RequestedField[]>("json"),
  deadlineAt: fixed("time"),
  /** The payment's outcome after approval. */
  outcome: fixed<ApprovedOutcome>("json"),
  /** The external account that the money goes to; null when it stays on an internal one. */
  depositAccountId: fixed<string | null>("uuid"),
  decision: mutable<ApprovalDecision | null>("text"),
  decidedAt: mutable<number | null>("time"),
  /** The platform's reason for a rejection. */
  reason: mutable<string | null>("text"),
  /** The receiver's data in the platform's answer, requested fields only. */
  receiverInformation: mutable<CustomerInfo | null>("json"),
  /** The sender's data that the platform requires first. */
  missingFields: mutable<readonly string[] | null>("json"),
};

export interface PaymentApproval extends RowOf<typeof columns> {}

export const paymentApprovals = defineTable<PaymentApproval>("payment_approvals", columns, {
  isFinal: ({ decision }) => decision !== null,
});

/** The approval of a transaction; undefined when the platform had no endpoint. */
export const findPaymentApproval = finderOf(paymentApprovals);

export const LONGEST_REASON = 500;

/** A payment and its approval. */
export interface ApprovalPayment {
  readonly transaction: Transaction;
  readonly approval: PaymentApproval;
}

/** Undefined for a transaction without an approval. */
export function findApprovalPayment(
  world: Loaded,
  transactionId: string,
): ApprovalPayment | undefined {
  const transaction = world.find(transactions.ref(transactionId));
  const approval = world.find(paymentApprovals.ref(transactionId));
  return transaction === undefined || approval === undefined
    ? undefined
    : { transaction, approval };
}

/** A call of approve or reject. */
export interface PaymentCall {
  readonly transactionId: string;
  /** The webhook is in flight: the platform has not answered yet that it will call. */
  readonly isUnanswered: boolean;
}

/**
 * The payment while approve and reject are allowed: from the webhook's answer that a call will follow until the deadline,
 * whether or not that answer is recorded yet.
 */
export function openPayment(
  world: World,
  { transactionId, isUnanswered }: PaymentCall,
): ApprovalPayment {
  const transaction = world.find(transactions.ref(transactionId));
  if (transaction === undefined) throw new Refusal("TRANSACTION_NOT_FOUND");
  const payment = findApprovalPayment(world, transactionId);
  const isOpen = payment?.approval.decision === null && world.at < payment.approval.deadlineAt;
  if (payment === undefined || !isOpen) {
    const { status } = transaction;
    const message = `The transaction is ${status} and does not wait for the platform's approval, or its deadline has passed.`;
    throw new Refusal("TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL", { status }, message);
  }
  if (isUnanswered) {
    throw new Refusal(
      "TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL",
      { status: payment.transaction.status, reason: "the question is not answered yet" },
      "The transaction waits for the answer to its webhook; answer that with 202 before you call.",
    );
  }
  return payment;
}

/** Records the decision and cancels the approval's job. */
export function decideApproval(
  world: World,
  approval: PaymentApproval,
  outcome: { readonly decision: ApprovalDecision } & Partial<
    Pick<PaymentApproval, "reason" | "receiverInformation" | "missingFields">
  >,
): PaymentApproval {
  world.cancel(approval.jobId);
  return world.put(paymentApprovals, { ...approval, ...outcome, decidedAt: world.at });
}
