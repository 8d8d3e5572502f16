/** The ends of an incoming UMA payment: the money is where it belongs, or will not come. */
import type { World } from "../../engine/command.ts";
import {
  type FailureFacts,
  type FailureStage,
  failedAt,
} from "../payments/transactions/failure.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../payments/transactions/transaction.ts";

export function completePayment(world: World, transaction: Transaction): Transaction {
  const completed = moveTo(transaction, "COMPLETED", { at: world.at, settledAt: world.at });
  world.put(transactions, completed);
  world.emit("INCOMING_PAYMENT.COMPLETED", transactionSubject(completed));
  return completed;
}

export const OFFRAMP_FAILED = { failureReason: "OFFRAMP_FAILED", stage: "PAYOUT" } as const;

export function failPayment(
  world: World,
  transaction: Transaction,
  failure: FailureFacts & { readonly stage: FailureStage },
): Transaction {
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", { at: world.at, ...failedAt(failure.stage, failure, world.at) }),
  );
  world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(failed));
  return failed;
}
