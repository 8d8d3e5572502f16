import type { Command, Loaded, World } from "../../engine/command.ts";
import {
  accountNamed,
  ledgerAccounts,
  type SystemAccountName,
  systemAccount,
} from "../../ledger/chart.ts";
import { present } from "../../std/assert.ts";
import type { AnyRef } from "../../tables/tables.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
} from "../internal-accounts/internal-account.ts";
import { type FailureFacts, type FailureStage, failedAt } from "../transactions/failure.ts";
import {
  completeIncomingRefund,
  failIncomingRefund,
  refundedPaymentId,
  returnIncomingRefund,
} from "../transactions/incoming-refund.ts";
import { completeRefund, openRefund } from "../transactions/refund.ts";
import {
  moveTo,
  type Refund,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import type { RailAnswer } from "./payment-rail.port.ts";

/** What becomes of a transfer. */
export type TransferAnswer = Extract<RailAnswer, { kind: "settled" | "accepted" | "declined" }>;

/** What a transfer was answered, and the account of what carries it, against which its money settles. */
export interface CarriedAnswer<Answer = TransferAnswer> {
  readonly answer: Answer;
  readonly clearing: SystemAccountName;
}

/** The account of the simulated rail. */
export function simulatedClearing(currency: string): SystemAccountName {
  return { system: "rail-clearing", currency };
}

export interface OutcomeInput {
  readonly transactionId: string;
  readonly jobId: string;
  readonly answer: TransferAnswer;
}

/**
 * Records the outcome of a payout. Settled: the held money leaves. Declined: it is refunded to the account. Accepted: the
 * payment is in progress and its job asks again. A repeated outcome changes nothing.
 */
export const recordPayoutOutcome: Command<OutcomeInput, Transaction> = {
  name: "record-payout-outcome",
  needs: (world, { transactionId }) => payoutNeeds(world, transactionId, simulatedClearing),
  decide(world, { transactionId, jobId, answer }) {
    const transaction = world.get(transactions.ref(transactionId));
    const isOpen = transaction.status === "PENDING" || transaction.status === "PROCESSING";
    if (answer.kind !== "accepted" || !isOpen) world.cancel(jobId);
    if (!isOpen) return transaction;
    const clearing = simulatedClearing(heldMoney(transaction).currency);
    return applyPayoutAnswer(world, transaction, { answer, clearing });
  },
};

/** The transaction of a payout that is open, after this answer. */
export function applyPayoutAnswer(
  world: World,
  transaction: Transaction,
  { answer, clearing }: CarriedAnswer,
): Transaction {
  switch (answer.kind) {
    case "accepted":
      return startProcessing(world, transaction);
    case "settled":
      return settle(world, startProcessing(world, transaction), clearing);
    case "declined":
      return fail(
        world,
        answer.wasAccepted ? startProcessing(world, transaction) : transaction,
        answer,
      );
  }
}

export function payoutNeeds(
  world: Loaded,
  transactionId: string,
  clearingIn: (currency: string) => SystemAccountName,
): readonly AnyRef[] {
  const ref = transactions.ref(transactionId);
  const transaction = world.find(ref);
  if (transaction === undefined) return [ref];
  const { accountId, currency } = heldMoney(transaction);
  const originalId = refundedPaymentId(transaction);
  return [
    ref,
    ...(originalId === undefined ? [] : [transactions.ref(originalId)]),
    internalAccounts.ref(accountId),
    ledgerAccounts.ref(accountId),
    systemAccount("in-flight", currency),
    accountNamed(clearingIn(currency)),
  ];
}

function heldMoney(transaction: Transaction) {
  return {
    accountId: present(transaction.sourceAccountId, "the source of a payout"),
    currency: present(transaction.sentCurrency, "the currency of a payout"),
    minor: present(transaction.sentMinor, "the amount of a payout"),
  };
}

function startProcessing(world: World, transaction: Transaction): Transaction {
  if (transaction.status === "PROCESSING") return transaction;
  const processing = world.put(transactions, moveTo(transaction, "PROCESSING", { at: world.at }));
  world.emit("OUTGOING_PAYMENT.PROCESSING", transactionSubject(processing));
  return processing;
}

function settle(world: World, transaction: Transaction, clearing: SystemAccountName): Transaction {
  const { accountId, currency, minor } = heldMoney(transaction);
  world.post({
    reason: "payout.settle",
    legs: [
      { system: "in-flight", currency, minor: -minor, heldFor: accountId },
      { ...clearing, minor },
    ],
  });
  const completed = moveTo(transaction, "COMPLETED", { at: world.at, settledAt: world.at });
  world.put(transactions, completed);
  world.emit("OUTGOING_PAYMENT.COMPLETED", transactionSubject(completed));
  endRefund(world, completed, completeIncomingRefund);
  return completed;
}

function fail(
  world: World,
  transaction: Transaction,
  answer: Extract<RailAnswer, { kind: "declined" }>,
): Transaction {
  const { accountId, currency, minor } = heldMoney(transaction);
  world.post({
    reason: "payout.release",
    legs: [
      { system: "in-flight", currency, minor: -minor, heldFor: accountId },
      { account: accountId, minor },
    ],
  });
  return giveBack(world, transaction, { ...answer, stage: "PAYOUT" });
}

/** Whether the account can take back the money of a payout. */
export function takesBack(world: Loaded, transaction: Transaction): "yes" | "closed" | "full" {
  const { accountId, minor } = heldMoney(transaction);
  const account = world.find(internalAccounts.ref(accountId));
  const ledger = world.find(ledgerAccounts.ref(accountId));
  if (account === undefined || account.status === "CLOSED") return "closed";
  return ledger !== undefined && hasRoomFor(ledger, minor) ? "yes" : "full";
}

/** A payout that the receiving bank sent back after it had settled: its money goes back to the account. */
export function returnPayout(
  world: World,
  transaction: Transaction,
  { answer: facts, clearing }: CarriedAnswer<FailureFacts>,
): Transaction {
  const { accountId, minor } = heldMoney(transaction);
  world.post({
    reason: "payout.return",
    legs: [
      { ...clearing, minor: -minor },
      { account: accountId, minor },
    ],
  });
  const refundReason = "TRANSACTION_FAILED";
  return giveBack(world, transaction, { ...facts, refundReason, stage: "RETURN" });
}

function giveBack(
  world: World,
  transaction: Transaction,
  facts: FailureFacts & {
    readonly refundReason: Refund["reason"];
    readonly stage: FailureStage;
  },
): Transaction {
  const isReturned = transaction.status === "COMPLETED";
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", { at: world.at, ...failedAt(facts.stage, facts, world.at) }),
  );
  world.emit("OUTGOING_PAYMENT.FAILED", transactionSubject(failed));
  const refunded = completeRefund(world, openRefund(world, failed, facts.refundReason));
  endRefund(world, failed, isReturned ? returnIncomingRefund : failIncomingRefund);
  emitBalance(world, heldMoney(transaction).accountId);
  return refunded;
}

/** Counts the end of a payout that gives an incoming payment back. */
function endRefund(
  world: World,
  payout: Transaction,
  end: (world: World, original: Transaction, minor: bigint) => void,
): void {
  const originalId = refundedPaymentId(payout);
  if (originalId === undefined) return;
  end(world, world.get(transactions.ref(originalId)), heldMoney(payout).minor);
}
