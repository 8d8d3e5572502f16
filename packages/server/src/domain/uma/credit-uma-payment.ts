import type { Command } from "../../engine/command.ts";
import { present } from "../../std/assert.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { creditPayment, paymentNeeds } from "./credit-payment.ts";
import { findAskedPayment } from "./payment-approval.ts";

/** Credits an approved payment whose long while is over. Run twice, it changes nothing the second time. */
export const creditUmaPayment: Command<
  { readonly transactionId: string; readonly jobId: string },
  Transaction
> = {
  name: "credit-uma-payment",
  needs: (world, { transactionId }) => paymentNeeds(world, transactionId),
  decide(world, { transactionId, jobId }) {
    const payment = present(findAskedPayment(world, transactionId), "a UMA payment");
    world.cancel(jobId);
    if (payment.transaction.status !== "PROCESSING") return payment.transaction;
    return creditPayment(world, payment);
  },
};
