import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type CustomerInfo, missingFields } from "../customers/customer-info.ts";
import type { Transaction } from "../payments/transactions/transaction.ts";
import { acceptPayment, paymentNeeds } from "./credit-payment.ts";
import { openPayment, type PaymentCall } from "./payment-approval.ts";

export interface ApprovePaymentInput extends PaymentCall {
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
