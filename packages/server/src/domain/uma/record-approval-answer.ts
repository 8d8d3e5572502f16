import type { Command, World } from "../../engine/command.ts";
import { present } from "../../std/assert.ts";
import { type CustomerInfo, missingFields } from "../customers/customer-info.ts";
import type { FailureReason } from "../payments/transactions/failure.ts";
import type { Transaction } from "../payments/transactions/transaction.ts";
import { acceptPayment, paymentNeeds } from "./credit-payment.ts";
import { turnAway } from "./decide-payment.ts";
import { failPayment } from "./end-payment.ts";
import { refuseInHouse } from "./in-house/settle-in-house.ts";
import { refuseInvoice } from "./incoming/open-invoice.ts";
import {
  type ApprovalDecision,
  type ApprovalPayment,
  decideApproval,
  findApprovalPayment,
} from "./payment-approval.ts";

/** The platform's answer to the approval webhook. */
export type ApprovalAnswer =
  | { readonly kind: "approved"; readonly receiverCustomerInfo: CustomerInfo }
  | { readonly kind: "rejected"; readonly reason: string | null }
  /** The platform requires more data about the sender. */
  | { readonly kind: "needs-more"; readonly requiredFields: readonly string[] }
  /** An unusable answer, or no connection. */
  | { readonly kind: "unusable" }
  /** No answer before the deadline. */
  | { readonly kind: "none" };

export interface RecordApprovalAnswerInput {
  readonly transactionId: string;
  readonly answer: ApprovalAnswer;
}

/** Decides a payment by the platform's answer. A payment that was decided before is left unchanged. */
export const recordApprovalAnswer: Command<RecordApprovalAnswerInput, Transaction> = {
  name: "record-approval-answer",
  needs: (world, { transactionId }) => paymentNeeds(world, transactionId),
  decide(world, { transactionId, answer }) {
    const payment = present(findApprovalPayment(world, transactionId), "a UMA payment");
    const { transaction, approval } = payment;
    if (approval.decision !== null) return transaction;
    switch (answer.kind) {
      case "approved": {
        const missing = missingFields(approval.requestedFields, answer.receiverCustomerInfo);
        if (missing.length > 0) {
          return fail(world, payment, { failureReason: "MISSING_MANDATORY_PAYEE_DATA" });
        }
        return acceptPayment(world, payment, answer.receiverCustomerInfo);
      }
      case "rejected":
        return turnAway(world, payment, answer.reason);
      case "needs-more": {
        const { requiredFields } = answer;
        return fail(world, payment, { failureReason: "PAY_REQUEST_FAILED", requiredFields });
      }
      case "unusable":
        return fail(world, payment, { failureReason: "PAYMENT_APPROVAL_WEBHOOK_ERROR" });
      case "none":
        return fail(world, payment, { failureReason: "PAYMENT_APPROVAL_TIMED_OUT" });
    }
  },
};

function fail(
  world: World,
  { transaction, approval }: ApprovalPayment,
  why: { readonly failureReason: FailureReason; readonly requiredFields?: readonly string[] },
): Transaction {
  const { failureReason, requiredFields } = why;
  const isLate = failureReason === "PAYMENT_APPROVAL_TIMED_OUT";
  const decision: ApprovalDecision = isLate ? "TIMED_OUT" : "FAILED";
  decideApproval(world, approval, { decision, missingFields: requiredFields ?? null });
  refuseInvoice(world, approval);
  const failed = failPayment(world, transaction, { failureReason, stage: "ACCEPTANCE" });
  refuseInHouse(world, approval, requiredFields);
  return failed;
}
