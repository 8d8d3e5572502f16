/**
 * A collection that has settled and is held: some rails take payments back for days. Its money is in `paid-in` and its transaction waits,
 * until a job credits the account, or begins the payout of the quote that the money is for. If the bank takes it back before that, nothing
 * was credited.
 *
 *   pull.arrive   clearing − the amount; paid-in + the amount
 *   pull.settle   paid-in − the amount; account + the amount
 *   suspense.book paid-in − the amount; suspense + the amount: no account takes it
 */

import type { Command, World } from "../../../engine/command.ts";
import type { Leg } from "../../../ledger/postings.ts";
import { present } from "../../../std/assert.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { clearingOf } from "../../payments/carrier/clearing.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { quoteOutcomeNeeds } from "../../payments/quotes/record-quote-outcome.ts";
import { payWithCollected } from "../../payments/quotes/record-quote-pull.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { applyPullAnswer, pullNeeds } from "../../payments/transfers/record-pull-outcome.ts";
import { afterBankingDays } from "../connections/calendar.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { openItemOfOrder } from "../entries/rail-item.ts";
import { putPayment, type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { takeFundingNeeds } from "../quotes/take-funding.ts";
import { collectionReturnNeeds } from "./return-collection.ts";

/** Sets the money of a settled collection aside until its hold ends. */
export function holdCollection(world: World, payment: RailPayment): void {
  const { id: paymentId, connectionId, currency, amountMinor: minor, holdDays } = payment;
  world.post({
    reason: "pull.arrive",
    legs: [
      { ...clearingOf(payment), minor: -minor },
      { system: "paid-in", currency, minor },
    ],
  });
  const connection = world.get(railConnections.ref(connectionId));
  const heldUntil = afterBankingDays(connection, world.at, holdDays);
  const releaseJobId = scheduleJob(world, {
    kind: "release-rail-pull",
    payload: { paymentId },
    dueAt: heldUntil,
  });
  putPayment(world, { ...payment, heldUntil, releaseJobId });
}

function collectionOf({ transactionId }: RailPayment): string {
  return present(transactionId, "the transaction of a collection");
}

export interface ReleaseRailPullInput {
  readonly paymentId: string;
  readonly jobId: string;
}

/**
 * Credits a collection whose hold is over, or begins its quote's payout. Answers false, and keeps the job, when the time has not come: the
 * host's clock was set back. A repeated run changes nothing.
 */
export const releaseRailPull: Command<ReleaseRailPullInput, boolean> = {
  name: "release-rail-pull",
  needs(world, { paymentId }) {
    const ref = railPayments.ref(paymentId);
    const payment = world.find(ref);
    if (payment === undefined) return [ref];
    const transactionId = collectionOf(payment);
    const clearing = clearingOf(payment);
    const quoteId = world.find(transactions.ref(transactionId))?.quoteId ?? null;
    const refs =
      quoteId === null
        ? pullNeeds(world, transactionId, () => clearing)
        : [
            ...quoteOutcomeNeeds(world, { quoteId, transactionId, mayReturn: false, clearing }),
            ...takeFundingNeeds(world, quoteId),
          ];
    return [ref, ...refs, ...collectionReturnNeeds(payment)];
  },
  decide(world, { paymentId, jobId }) {
    const payment = world.get(railPayments.ref(paymentId));
    if (payment.releaseJobId === jobId && world.at < (payment.heldUntil ?? 0)) return false;
    world.cancel(jobId);
    if (payment.releaseJobId !== jobId) return true;
    const { currency, connectionId, amountMinor } = payment;
    putPayment(world, { ...payment, releaseJobId: null });
    const transaction = world.get(transactions.ref(collectionOf(payment)));
    if (transaction.quoteId !== null) {
      payWithCollected(world, world.get(quotes.ref(transaction.quoteId)));
      return true;
    }
    const clearing = { system: "paid-in", currency } as const;
    const ended = applyPullAnswer(world, transaction, { answer: { kind: "settled" }, clearing });
    if (ended.status === "COMPLETED") return true;
    const suspense: Leg = { system: "suspense", currency, connectionId, minor: amountMinor };
    world.post({ reason: "suspense.book", legs: [{ ...clearing, minor: -amountMinor }, suspense] });
    openItemOfOrder(world, { payment, reason: "ACCOUNT_FULL", amountMinor });
    return true;
  },
};

/** Ends the hold of a collection that is taken back: its money leaves `paid-in` again. */
export function endHold(world: World, payment: RailPayment): void {
  world.cancel(present(payment.releaseJobId, "the job of a collection that is held"));
  const { currency, amountMinor: minor } = payment;
  world.post({
    reason: "pull.return",
    legs: [
      { system: "paid-in", currency, minor: -minor },
      { ...clearingOf(payment), minor },
    ],
  });
  putPayment(world, { ...payment, releaseJobId: null });
}
