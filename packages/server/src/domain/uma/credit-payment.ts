/**
 * What happens to an incoming UMA payment once it is approved.
 *
 *   PENDING → PROCESSING → to an internal account: credited in the same commit, COMPLETED
 *                        → of a customer of the same platform, in production: settled with the payer's quote, COMPLETED or FAILED
 *                        → to an account outside: sent through its rail, COMPLETED or FAILED when that has answered
 *   PENDING, from an institution outside: stays so until an entry pays its invoice; see incoming/uma-invoice.ts
 *
 * No customer's balance changes before the payment succeeds. Money on its way outside sits in `uma-transit`; what could not be
 * delivered goes back to `uma-clearing`, where it came from. An account outside can be deleted while the platform is asked:
 * nothing is sent there any more, and the payment fails. If the process dies after the commit, the job that was scheduled
 * in it goes on, and the rail gets the same key again.
 */

import type { Command, Loaded, World } from "../../engine/command.ts";
import { ledgerAccounts, systemAccount } from "../../ledger/chart.ts";
import { present } from "../../std/assert.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { externalAccounts, railAddress } from "../accounts/external/external-account.ts";
import { takesCredits } from "../accounts/freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
} from "../accounts/internal/internal-account.ts";
import { firstWithoutRoom } from "../accounts/internal/system-room.ts";
import { type CustomerInfo, requestedAnswers } from "../customers/customer-info.ts";
import { scheduleJob } from "../job-kinds.ts";
import { causes } from "../payments/transactions/failure.ts";
import { moveTo, type Transaction, transactions } from "../payments/transactions/transaction.ts";
import { completePayment, failPayment, OFFRAMP_FAILED } from "./end-payment.ts";
import { inHouseNeeds, settleInHouse } from "./in-house/settle-in-house.ts";
import { approvalNeeds, wantInvoice } from "./incoming/open-invoice.ts";
import {
  type ApprovalPayment,
  decideApproval,
  findApprovalPayment,
  paymentApprovals,
} from "./payment-approval.ts";

/** Rows to load for a decision about the payment and its consequences. */
export function paymentNeeds(world: Loaded, transactionId: string): readonly AnyRef[] {
  const refs: AnyRef[] = [transactions.ref(transactionId), paymentApprovals.ref(transactionId)];
  const payment = findApprovalPayment(world, transactionId);
  if (payment === undefined) return refs;
  if (payment.approval.outcome.kind === "invoice")
    return [...refs, ...approvalNeeds(world, transactionId)];
  if (payment.approval.outcome.kind === "in-house") {
    return [...refs, ...inHouseNeeds(world, transactionId)];
  }
  const { currency, accountId } = receivedMoney(payment.transaction);
  refs.push(systemAccount("uma-clearing", currency));
  if (payment.approval.depositAccountId === null) {
    refs.push(internalAccounts.ref(accountId), ledgerAccounts.ref(accountId));
  } else {
    refs.push(
      externalAccounts.ref(payment.approval.depositAccountId),
      systemAccount("uma-transit", currency),
      systemAccount("rail-clearing", currency),
    );
  }
  return refs;
}

export function receivedMoney(transaction: Transaction) {
  return {
    accountId: present(transaction.destinationAccountId, "the destination of a UMA payment"),
    currency: present(transaction.receivedCurrency, "the currency of a UMA payment"),
    minor: present(transaction.receivedMinor, "the amount of a UMA payment"),
  };
}

/** Approves the payment: stores the receiver's data from the platform and starts the payment. */
export function acceptPayment(
  world: World,
  payment: ApprovalPayment,
  answers: CustomerInfo,
): Transaction {
  const { transaction, approval: open } = payment;
  const receiverInformation = requestedAnswers(open.requestedFields, answers);
  const approval = decideApproval(world, open, { decision: "APPROVED", receiverInformation });
  if (approval.outcome.kind === "invoice") {
    wantInvoice(world, transaction.id);
    return transaction;
  }
  return startProcessing(world, { transaction, approval });
}

/** Moves an approved payment to PROCESSING. A delayed payment is credited by a job. */
function startProcessing(world: World, { transaction, approval }: ApprovalPayment): Transaction {
  const processing = world.put(transactions, moveTo(transaction, "PROCESSING", { at: world.at }));
  const { outcome } = approval;
  if (outcome.kind !== "succeeds-late") {
    return creditPayment(world, { transaction: processing, approval });
  }
  const jobId = scheduleJob(world, {
    kind: "credit-uma-payment",
    dueAt: world.at + outcome.seconds * 1_000,
    payload: { transactionId: processing.id },
  });
  world.put(paymentApprovals, { ...approval, jobId });
  return processing;
}

/** Credits a payment in progress, or pays it out to its external account. */
export function creditPayment(world: World, payment: ApprovalPayment): Transaction {
  const { transaction, approval } = payment;
  if (approval.outcome.kind === "fails") {
    return failPayment(world, transaction, { ...approval.outcome, stage: "ACCEPTANCE" });
  }
  if (approval.depositAccountId !== null) return sendOn(world, payment);
  const { accountId, currency, minor } = receivedMoney(transaction);
  if (approval.outcome.kind === "in-house") {
    const { receiverInformation } = approval;
    return settleInHouse(world, transaction, {
      quoteId: approval.outcome.quoteId,
      accountId,
      receiverInformation: receiverInformation ?? {},
    });
  }
  const canCredit =
    takesCredits(world.get(internalAccounts.ref(accountId))) &&
    hasRoomFor(world.get(ledgerAccounts.ref(accountId)), minor) &&
    firstWithoutRoom(world, [{ system: "uma-clearing", currency, minor: -minor }]) === undefined;
  if (!canCredit) {
    return failPayment(world, transaction, { ...OFFRAMP_FAILED, cause: causes.accountFull });
  }
  world.post({
    reason: "uma.credit",
    legs: [
      { system: "uma-clearing", currency, minor: -minor },
      { account: accountId, minor },
    ],
  });
  const completed = completePayment(world, transaction);
  emitBalance(world, accountId);
  return completed;
}

function sendOn(world: World, { transaction, approval }: ApprovalPayment): Transaction {
  const { currency, minor } = receivedMoney(transaction);
  const id = present(approval.depositAccountId, "the deposit account of a UMA payment");
  const external = world.get(externalAccounts.ref(id));
  const full = firstWithoutRoom(world, [
    { system: "uma-clearing", currency, minor: -minor },
    { system: "uma-transit", currency, minor },
    { system: "rail-clearing", currency, minor },
  ]);
  if (external.status !== "ACTIVE" || external.deletedAt !== null || full !== undefined) {
    return failPayment(world, transaction, OFFRAMP_FAILED);
  }
  world.post({
    reason: "uma.transit",
    legs: [
      { system: "uma-clearing", currency, minor: -minor },
      { system: "uma-transit", currency, minor },
    ],
  });
  const jobId = scheduleJob(world, {
    kind: "send-uma-deposit",
    dueAt: world.at,
    payload: {
      transactionId: transaction.id,
      minor: minor.toString(),
      currency,
      ...railAddress(external),
      acceptedAt: world.at,
    },
  });
  world.put(paymentApprovals, { ...approval, jobId });
  return transaction;
}

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
