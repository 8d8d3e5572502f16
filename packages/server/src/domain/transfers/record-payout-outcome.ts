import type { Command, Loaded, World } from "../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../ledger/chart.ts";
import { present } from "../../std/assert.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { emitBalance, internalAccounts } from "../internal-accounts/internal-account.ts";
import { failedAt } from "../transactions/failure.ts";
import {
  completeIncomingRefund,
  failIncomingRefund,
  refundedPaymentId,
} from "../transactions/incoming-refund.ts";
import { completeRefund, openRefund } from "../transactions/refund.ts";
import {
  moveTo,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import type { RailAnswer } from "./payment-rail.port.ts";

export interface OutcomeInput {
  readonly transactionId: string;
  readonly jobId: string;
  readonly answer: Extract<RailAnswer, { kind: "settled" | "accepted" | "declined" }>;
}

/**
 * Records the outcome of a payout. Settled: the held money leaves. Declined: it is refunded to the account. Accepted: the
 * payment is in progress and its job asks again. A repeated outcome changes nothing.
 */
export const recordPayoutOutcome: Command<OutcomeInput, Transaction> = {
  name: "record-payout-outcome",
  needs: (world, { transactionId }) => payoutNeeds(world, transactionId),
  decide(world, { transactionId, jobId, answer }) {
    const transaction = world.get(transactions.ref(transactionId));
    const isOpen = transaction.status === "PENDING" || transaction.status === "PROCESSING";
    if (answer.kind !== "accepted" || !isOpen) world.cancel(jobId);
    if (!isOpen) return transaction;
    switch (answer.kind) {
      case "accepted":
        return startProcessing(world, transaction);
      case "settled":
        return settle(world, startProcessing(world, transaction));
      case "declined":
        return fail(
          world,
          answer.wasAccepted ? startProcessing(world, transaction) : transaction,
          answer,
        );
    }
  },
};

function payoutNeeds(world: Loaded, transactionId: string): readonly AnyRef[] {
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
    systemAccount("rail-clearing", currency),
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

function settle(world: World, transaction: Transaction): Transaction {
  const { accountId, currency, minor } = heldMoney(transaction);
  world.post({
    reason: "payout.settle",
    legs: [
      { system: "in-flight", currency, minor: -minor, heldFor: accountId },
      { system: "rail-clearing", currency, minor },
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
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", { at: world.at, ...failedAt("PAYOUT", answer, world.at) }),
  );
  world.emit("OUTGOING_PAYMENT.FAILED", transactionSubject(failed));
  const refunded = completeRefund(world, openRefund(world, failed, answer.refundReason));
  endRefund(world, failed, failIncomingRefund);
  emitBalance(world, accountId);
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
