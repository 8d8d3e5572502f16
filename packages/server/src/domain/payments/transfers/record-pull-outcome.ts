import type { Command, Loaded, World } from "../../../engine/command.ts";
import { accountNamed, ledgerAccounts, type SystemAccountName } from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { simulatedClearing } from "../carrier/clearing.ts";
import { causes, type FailureFacts, failedAt } from "../transactions/failure.ts";
import {
  moveTo,
  notifyAgent,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import type { CarriedAnswer, OutcomeInput } from "./record-payout-outcome.ts";

/**
 * Records the outcome of a pull. Only a settled pull credits the account. A declined pull, or one that would exceed the
 * account's bound once held money is refunded, fails without a posting. A repeated outcome changes nothing.
 */
export const recordPullOutcome: Command<OutcomeInput, Transaction> = {
  name: "record-pull-outcome",
  needs: (world, { transactionId }) => pullNeeds(world, transactionId, simulatedClearing),
  decide(world, { transactionId, jobId, answer }) {
    const transaction = world.get(transactions.ref(transactionId));
    const isOpen = transaction.status === "PENDING" || transaction.status === "PROCESSING";
    if (answer.kind !== "accepted" || !isOpen) world.cancel(jobId);
    if (!isOpen) return transaction;
    const clearing = simulatedClearing(pulledMoney(transaction).currency);
    return applyPullAnswer(world, transaction, { answer, clearing });
  },
};

/** Applies the answer to the transaction of an open pull. */
export function applyPullAnswer(
  world: World,
  transaction: Transaction,
  { answer, clearing }: CarriedAnswer,
): Transaction {
  if (answer.kind === "accepted") return transaction;
  if (answer.kind === "declined") return fail(world, transaction, answer);
  const { accountId, minor } = pulledMoney(transaction);
  if (!hasRoomFor(world.get(ledgerAccounts.ref(accountId)), minor))
    return fail(world, transaction, ACCOUNT_FULL);
  return credit(world, transaction, clearing);
}

export function pullNeeds(
  world: Loaded,
  transactionId: string,
  clearingIn: (currency: string) => SystemAccountName,
): readonly AnyRef[] {
  const ref = transactions.ref(transactionId);
  const transaction = world.find(ref);
  if (transaction === undefined) return [ref];
  const { accountId, currency } = pulledMoney(transaction);
  return [
    ref,
    internalAccounts.ref(accountId),
    ledgerAccounts.ref(accountId),
    accountNamed(clearingIn(currency)),
  ];
}

function pulledMoney(transaction: Transaction) {
  return {
    accountId: present(transaction.destinationAccountId, "the destination of a pull"),
    currency: present(transaction.receivedCurrency, "the currency of a pull"),
    minor: present(transaction.receivedMinor, "the amount of a pull"),
  };
}

function credit(world: World, transaction: Transaction, clearing: SystemAccountName): Transaction {
  const { accountId, minor } = pulledMoney(transaction);
  world.post({
    reason: "pull.settle",
    legs: [
      { ...clearing, minor: -minor },
      { account: accountId, minor },
    ],
  });
  const completed = moveTo(transaction, "COMPLETED", { at: world.at, settledAt: world.at });
  world.put(transactions, completed);
  world.emit("INCOMING_PAYMENT.COMPLETED", transactionSubject(completed));
  emitBalance(world, accountId);
  return completed;
}

const ACCOUNT_FULL: FailureFacts = {
  failureReason: "QUOTE_EXECUTION_FAILED",
  cause: causes.accountFull,
};

function fail(world: World, transaction: Transaction, facts: FailureFacts): Transaction {
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", { at: world.at, ...failedAt("COLLECTION", facts, world.at) }),
  );
  world.emit("INCOMING_PAYMENT.FAILED", transactionSubject(failed));
  notifyAgent(world, failed);
  return failed;
}
