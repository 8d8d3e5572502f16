import type { Command } from "../../engine/command.ts";
import { present } from "../../std/assert.ts";
import type { Transaction } from "../payments/transactions/transaction.ts";
import { creditPayment, paymentNeeds } from "./credit-payment.ts";
import { findApprovalPayment } from "./payment-approval.ts";

/**
 * Credits a delayed payment. A second run changes nothing: a payment to an external account is still in progress then, but
 * another job has it.
 */
export const creditUmaPayment: Command<
  { readonly transactionId: string; readonly jobId: string },
  Transaction
> = {
  name: "credit-uma-payment",
  needs: (world, { transactionId }) => paymentNeeds(world, transactionId),
  decide(world, { transactionId, jobId }) {
    const payment = present(findApprovalPayment(world, transactionId), "a UMA payment");
    const { transaction, approval } = payment;
    world.cancel(jobId);
    if (transaction.status !== "PROCESSING" || approval.jobId !== jobId) return transaction;
    return creditPayment(world, payment);
  },
};
