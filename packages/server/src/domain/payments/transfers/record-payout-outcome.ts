import type { Command, Loaded, World } from "../../../engine/command.ts";
import {
  accountNamed,
  ledgerAccounts,
  type SystemAccountName,
  systemAccount,
} from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { emitBalance, internalAccounts } from "../../accounts/internal/internal-account.ts";
import { batchNeeds, countOutcome } from "../batches/batch-outcome.ts";
import { simulatedClearing } from "../carrier/clearing.ts";
import { type FailureFacts, type FailureStage, failedAt } from "../transactions/failure.ts";
import {
  completeIncomingRefund,
  failIncomingRefund,
  refundedPaymentId,
  returnIncomingRefund,
} from "../transactions/incoming-refund.ts";
import { completeRefund, failRefund, openRefund } from "../transactions/refund.ts";
import {
  moveTo,
  type Refund,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import type { RailAnswer } from "./payment-rail.port.ts";

/** The answers that change a transfer. */
export type TransferAnswer = Extract<RailAnswer, { kind: "settled" | "accepted" | "declined" }>;

/** The answer to a transfer, and the clearing account of its carrier, against which the money settles. */
export interface CarriedAnswer<Answer = TransferAnswer> {
  readonly answer: Answer;
  readonly clearing: SystemAccountName;
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

/** Applies the answer to the transaction of an open payout. */
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
    ...batchNeeds(transaction),
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
  countOutcome(world, completed, transaction.status);
  endRefund(world, completed, { end: completeIncomingRefund });
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
  return giveBack(world, transaction, { ...answer, stage: "PAYOUT", isTaken: true });
}

/** Fails a payout whose money came back. When the account cannot take the money, it stays set aside and the refund fails. */
export function giveBack(
  world: World,
  transaction: Transaction,
  facts: FailureFacts & {
    readonly refundReason: Refund["reason"];
    readonly stage: FailureStage;
    readonly isTaken: boolean;
    /** The returned amount of a settled payout. */
    readonly returnedMinor?: bigint;
  },
): Transaction {
  const { returnedMinor, refundReason: reason } = facts;
  const amount = returnedMinor?.toString();
  const returned = amount === undefined ? undefined : { cameMinor: amount, refundMinor: amount };
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", { at: world.at, ...failedAt(facts.stage, facts, world.at) }),
  );
  world.emit("OUTGOING_PAYMENT.FAILED", transactionSubject(failed));
  countOutcome(world, failed, transaction.status);
  const refunding = openRefund(world, failed, { reason, ...(returned && { returned }) });
  const ended = facts.isTaken ? completeRefund(world, refunding) : failRefund(world, refunding);
  if (returnedMinor === undefined) endRefund(world, failed, { end: failIncomingRefund });
  else endRefund(world, failed, { end: returnIncomingRefund, minor: returnedMinor });
  if (facts.isTaken) emitBalance(world, heldMoney(transaction).accountId);
  return ended;
}

interface EndOfRefund {
  readonly end: (world: World, original: Transaction, minor: bigint) => void;
  /** Less than the payout's amount when a settled payout came back short. */
  readonly minor?: bigint;
}

/** When the payout refunds an incoming payment, counts its outcome on that payment. */
function endRefund(
  world: World,
  payout: Transaction,
  { end, minor = heldMoney(payout).minor }: EndOfRefund,
): void {
  const originalId = refundedPaymentId(payout);
  if (originalId === undefined) return;
  end(world, world.get(transactions.ref(originalId)), minor);
}
