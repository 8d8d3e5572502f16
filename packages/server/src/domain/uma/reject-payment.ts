import type { Command, World } from "../../engine/command.ts";
import { failedAt } from "../payments/transactions/failure.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../payments/transactions/transaction.ts";
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
  needs: (_world, { transactionId }) => [
    transactions.ref(transactionId),
    paymentApprovals.ref(transactionId),
  ],
  decide: (world, { reason, ...call }) => turnAway(world, openPayment(world, call), reason),
};

export function turnAway(
  world: World,
  { transaction, approval }: ApprovalPayment,
  reason: string | null,
): Transaction {
  decideApproval(world, approval, { decision: "REJECTED", reason });
  const rejected = world.put(
    transactions,
    moveTo(transaction, "REJECTED", {
      at: world.at,
      ...failedAt("ACCEPTANCE", { failureReason: "PAY_REQUEST_FAILED" }, world.at),
      outcome: reason === null ? null : { rejectionReason: reason },
    }),
  );
  world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(rejected));
  return rejected;
}
