import type { Command, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type CustomerInfo, missingFields } from "../customers/customer-info.ts";
import { failedAt } from "../payments/transactions/failure.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../payments/transactions/transaction.ts";
import { acceptPayment, paymentNeeds } from "./credit-payment.ts";
import { inHouseNeeds, refuseInHouse } from "./in-house/settle-in-house.ts";
import { approvalNeeds, refuseInvoice } from "./incoming/open-invoice.ts";
import {
  type ApprovalPayment,
  decideApproval,
  openPayment,
  type PaymentCall,
  paymentApprovals,
} from "./payment-approval.ts";

export interface RejectPaymentInput extends PaymentCall {
  readonly reason: string | null;
}

/**
 * Rejects an incoming payment. Refuses, in this order: an unknown transaction, a payment that does not wait for a decision.
 */
export const rejectPayment: Command<RejectPaymentInput, Transaction> = {
  name: "reject-payment",
  needs: (world, { transactionId }) => [
    transactions.ref(transactionId),
    paymentApprovals.ref(transactionId),
    ...approvalNeeds(world, transactionId),
    ...inHouseNeeds(world, transactionId),
  ],
  decide: (world, { reason, ...call }) => turnAway(world, openPayment(world, call), reason),
};

export function turnAway(
  world: World,
  { transaction, approval }: ApprovalPayment,
  reason: string | null,
): Transaction {
  decideApproval(world, approval, { decision: "REJECTED", reason });
  refuseInvoice(world, approval);
  const rejected = world.put(
    transactions,
    moveTo(transaction, "REJECTED", {
      at: world.at,
      ...failedAt("ACCEPTANCE", { failureReason: "PAY_REQUEST_FAILED" }, world.at),
      outcome: reason === null ? null : { rejectionReason: reason },
    }),
  );
  world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(rejected));
  refuseInHouse(world, approval);
  return rejected;
}

interface ApprovePaymentInput extends PaymentCall {
  readonly receiverCustomerInfo: CustomerInfo;
}

/**
 * Approves an incoming payment. Refuses, in this order: an unknown transaction, a payment that does not wait for a decision,
 * missing answers that the sender's institution requires.
 */
export const approvePayment: Command<ApprovePaymentInput, Transaction> = {
  name: "approve-payment",
  needs: (world, { transactionId }) => paymentNeeds(world, transactionId),
  decide(world, { receiverCustomerInfo, ...call }) {
    const payment = openPayment(world, call);
    const missing = missingFields(payment.approval.requestedFields, receiverCustomerInfo);
    if (missing.length > 0) {
      throw new Refusal(
        "MISSING_MANDATORY_USER_INFO",
        { field: "receiverCustomerInfo", missing },
        `The sender's institution must know ${missing.join(", ")} of the receiver.`,
      );
    }

    return acceptPayment(world, payment, receiverCustomerInfo);
  },
};
