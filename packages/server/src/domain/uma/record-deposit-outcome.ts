import type { Command, World } from "../../engine/command.ts";
import type { FailureCause } from "../payments/transactions/failure.ts";
import type { Transaction } from "../payments/transactions/transaction.ts";
import { transactions } from "../payments/transactions/transaction.ts";
import type { OutcomeInput } from "../payments/transfers/record-payout-outcome.ts";
import { paymentNeeds, receivedMoney } from "./credit-payment.ts";
import { completePayment, failPayment, OFFRAMP_FAILED } from "./end-payment.ts";

/**
 * Records the outcome of paying out an incoming payment to an external account. Settled: the money in transit leaves.
 * Declined: it goes back to the sender. A repeated outcome changes nothing.
 */
export const recordDepositOutcome: Command<OutcomeInput, Transaction> = {
  name: "record-deposit-outcome",
  needs: (world, { transactionId }) => paymentNeeds(world, transactionId),
  decide(world, { transactionId, jobId, answer }) {
    const transaction = world.get(transactions.ref(transactionId));
    const isOpen = transaction.status === "PROCESSING";
    if (answer.kind !== "accepted" || !isOpen) world.cancel(jobId);
    if (!isOpen || answer.kind === "accepted") return transaction;
    return answer.kind === "settled"
      ? deposit(world, transaction)
      : giveBack(world, transaction, answer.cause);
  },
};

function deposit(world: World, transaction: Transaction): Transaction {
  const { currency, minor } = receivedMoney(transaction);
  world.post({
    reason: "uma.deposit",
    legs: [
      { system: "uma-transit", currency, minor: -minor },
      { system: "rail-clearing", currency, minor },
    ],
  });
  return completePayment(world, transaction);
}

function giveBack(
  world: World,
  transaction: Transaction,
  cause: FailureCause | undefined,
): Transaction {
  const { currency, minor } = receivedMoney(transaction);
  world.post({
    reason: "uma.return",
    legs: [
      { system: "uma-transit", currency, minor: -minor },
      { system: "uma-clearing", currency, minor },
    ],
  });
  return failPayment(world, transaction, { ...OFFRAMP_FAILED, cause });
}
