/**
 * Records what a rail reported of a payment, and what that means for its transaction. A report that comes twice changes nothing; one
 * that contradicts an earlier one moves no money: the payment is marked, and a person decides.
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { clearingOf } from "../../payments/carrier/clearing.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import {
  failQuote,
  quoteOutcomeNeeds,
  reversePayout,
  settleOnce,
} from "../../payments/quotes/record-quote-outcome.ts";
import { collectOnce, failCollection } from "../../payments/quotes/record-quote-pull.ts";
import {
  type FailureCause,
  type FailureFacts,
  usualCauses,
} from "../../payments/transactions/failure.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import {
  applyPayoutAnswer,
  payoutNeeds,
  type TransferAnswer,
} from "../../payments/transfers/record-payout-outcome.ts";
import { applyPullAnswer, pullNeeds } from "../../payments/transfers/record-pull-outcome.ts";
import { calendarOf } from "../connections/calendar.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { takeFundingNeeds } from "../quotes/take-funding.ts";
import { endHold, holdCollection } from "../returns/hold-collection.ts";
import {
  collectionReturnNeeds,
  quoteCollectionReturnNeeds,
  returnCollection,
  returnQuoteCollection,
} from "../returns/return-collection.ts";
import { payoutReturnNeeds, returnPayout } from "../returns/return-payout.ts";
import { returnObstacle } from "../returns/return-rule.ts";
import { applyToBack, backNeeds } from "./back-report.ts";
import {
  isOpen,
  type LastReport,
  putPayment,
  type RailPayment,
  type RailPaymentState,
  type Recall,
  type ReportSource,
  railPaymentSubject,
  railPayments,
  showOrder,
  withState,
} from "./rail-payment.ts";
import {
  failureReasonOf,
  isDuplicateReport,
  type RailReport,
  type Verdict,
  WAYS_OUT,
} from "./rail-report.ts";

/** The rows that a report about this payment can touch. */
export function reportNeeds(world: Loaded, paymentId: string): readonly AnyRef[] {
  const ref = railPayments.ref(paymentId);
  const payment = world.find(ref);
  if (payment === undefined) return [ref];
  const { direction, transactionId } = payment;
  if (direction === "BACK" || transactionId === null) return [ref, ...backNeeds(payment)];
  const quoteId = world.find(transactions.ref(transactionId))?.quoteId ?? null;
  if (quoteId !== null) {
    const clearing = clearingOf(payment);
    const ids = { quoteId, transactionId };
    const outcome = quoteOutcomeNeeds(world, { ...ids, mayReturn: true, clearing });
    const collected =
      direction === "PULL"
        ? [...takeFundingNeeds(world, quoteId), ...quoteCollectionReturnNeeds(world, payment)]
        : [];
    return [ref, railConnections.ref(payment.connectionId), ...outcome, ...collected];
  }
  const clearing = () => clearingOf(payment);
  if (direction === "PULL") {
    const refs = pullNeeds(world, transactionId, clearing);
    return [ref, ...refs, ...collectionReturnNeeds(payment)];
  }
  const accountId = world.find(transactions.ref(transactionId))?.sourceAccountId ?? null;
  const refs = payoutNeeds(world, transactionId, clearing);
  return accountId === null
    ? [ref, ...refs]
    : [ref, ...refs, ...payoutReturnNeeds(world, payment, accountId)];
}

/** Applies the report and returns the payment. */
export function takeReport(
  world: World,
  payment: RailPayment,
  { report, source }: Told,
): RailPayment {
  const verdict = verdictOf(world, payment, { report, source });
  const lastReport = lastReportOf(world, report, source);
  if (verdict === "same") return payment;
  if (verdict === "conflict") return markConflict(world, payment, lastReport);
  const told: RailPayment = {
    ...withState(world, payment, {
      state: verdict,
      why: whyOf(report),
      note: report.note,
    }),
    lastReport,
    bankReference: report.reference ?? payment.bankReference,
    recall: recallAfter(payment, verdict),
    returnedMinor: verdict === "RETURNED" ? (report.amountMinor ?? payment.amountMinor) : null,
    settledOn: verdict === "SETTLED" ? (report.settledOn ?? dayOf(world.at)) : payment.settledOn,
    // A mark may concern a payment that this server did not send.
    sentAt: payment.sentAt ?? (verdict === "CANCELLED" ? null : world.at),
  };
  if (isDuplicateReport(report)) return putConflict(world, told, lastReport);
  const { jobId } = told;
  const ended = isOpen(told) || jobId === null ? told : { ...told, jobId: null };
  if (ended !== told && jobId !== null) world.cancel(jobId);
  const recorded = putPayment(world, ended);
  if (recorded.direction === "BACK") {
    applyToBack(world, recorded, payment.state);
    return recorded;
  }
  const before = transactionOf(world, payment);
  const isNamed = recorded.bankReference !== payment.bankReference;
  const transaction = isNamed ? showOrder(world, recorded, before) : before;
  const step = { transaction, report, from: payment, to: recorded };
  const isBooked = applyToTransaction(world, step);
  // Read again, because the report may have begun or ended the hold of a collection.
  if (isBooked) return world.get(railPayments.ref(payment.id));
  return putConflict(world, { ...recorded, movesNothing: true }, lastReport);
}

/** A requested recall is DONE once the payment is declined, cancelled or returned. */
function recallAfter({ recall }: RailPayment, state: RailPaymentState): Recall | null {
  const isBack = state === "DECLINED" || state === "CANCELLED" || state === "RETURNED";
  return recall?.state === "REQUESTED" && isBack ? { ...recall, state: "DONE" } : recall;
}

interface Told {
  readonly report: RailReport;
  readonly source: ReportSource;
}

function verdictOf(world: World, payment: RailPayment, { report, source }: Told): Verdict {
  const verdict = WAYS_OUT[payment.state][report.status];
  if (verdict === "same" || verdict === "conflict") return verdict;
  if (isDuplicateReport(report)) return payment.isConflict ? "same" : "UNKNOWN";
  const { amountMinor = payment.amountMinor } = report;
  const isWhole = amountMinor === payment.amountMinor;
  if (verdict === "RETURNED") {
    if (source !== "MARK" && waitsForPerson(payment)) return "conflict";
    const bookedOn = dayOfReturn(world, payment, { report, source });
    const obstacle = returnObstacle(world, payment, { amountMinor, bookedOn });
    return obstacle === undefined ? verdict : "conflict";
  }
  return verdict === "SETTLED" && !isWhole ? "conflict" : verdict;
}

/** Whether a return was reported before and not accepted: its money is an item, which a person may have resolved otherwise. */
function waitsForPerson({ isConflict, lastReport }: RailPayment): boolean {
  return isConflict && lastReport?.status === "returned";
}

/** The day of a return that a connector reports is today, because its report may carry the day of the settlement. */
function dayOfReturn(
  world: World,
  { connectionId, direction }: RailPayment,
  { report, source }: Told,
): string | undefined {
  if (source === "MARK" || direction !== "OUT") return undefined;
  if (source === "ENTRY") return report.settledOn;
  return calendarOf(world.get(railConnections.ref(connectionId)), world.at).today;
}

function transactionOf(world: World, { transactionId }: RailPayment): Transaction {
  return world.get(transactions.ref(present(transactionId, "the transaction of an order")));
}

/** Marks the payment for a person; a repeated report emits no second event. */
function markConflict(world: World, payment: RailPayment, lastReport: LastReport): RailPayment {
  const last = payment.lastReport;
  const isKnown =
    payment.isConflict && last?.status === lastReport.status && last.code === lastReport.code;
  return isKnown ? payment : putConflict(world, payment, lastReport);
}

function putConflict(world: World, payment: RailPayment, lastReport: LastReport): RailPayment {
  const why = `conflict: the rail reports ${lastReport.status}`;
  const marked = putPayment(world, {
    ...withState(world, payment, { state: payment.state, why }),
    isConflict: true,
    lastReport,
  });
  world.emit("RAIL_PAYMENT.CONFLICT", railPaymentSubject(marked));
  return marked;
}

interface Step {
  readonly transaction: Transaction;
  readonly report: RailReport;
  readonly from: RailPayment;
  /** The payment after the report. */
  readonly to: RailPayment;
}

/** False when the transaction could not follow: the money moved outside and nothing here accounts for it. */
function applyToTransaction(world: World, step: Step): boolean {
  const { transaction, report, from, to } = step;
  if (transaction.quoteId !== null) {
    const apply = from.direction === "PULL" ? applyToCollection : applyToQuote;
    return apply(world, transaction.quoteId, step);
  }
  const isOut = from.direction === "OUT";
  const apply = isOut ? applyPayoutAnswer : applyPullAnswer;
  const facts = factsOf(from, report);
  const clearing = clearingOf(from);
  const follow = (answer: TransferAnswer) => apply(world, transaction, { answer, clearing });
  switch (to.state) {
    case "SENT":
    case "ACCEPTED":
      follow({ kind: "accepted" });
      return true;
    case "SETTLED":
      if (to.holdDays === 0) return follow({ kind: "settled" }).status === "COMPLETED";
      holdCollection(world, to);
      return true;
    case "DECLINED":
    case "CANCELLED":
      follow(declinedBy(facts, report));
      return true;
    case "RETURNED": {
      const isSettled = from.state === "SETTLED";
      const returned = { payment: to, facts };
      const isHeld = from.releaseJobId !== null;
      if (isHeld) endHold(world, to);
      if (!isOut && (!isSettled || isHeld)) {
        // Nothing was credited.
        follow(declinedBy(facts, report));
      } else if (isOut) {
        const settled = isSettled ? transaction : follow({ kind: "settled" });
        returnPayout(world, settled, returned);
      } else returnCollection(world, transaction, returned);
      return true;
    }
    default:
      return true;
  }
}

/** Applies a report to the collection of a quote's money, whose settlement begins the payout. */
function applyToCollection(world: World, quoteId: string, { report, from, to }: Step): boolean {
  const quote = world.get(quotes.ref(quoteId));
  switch (to.state) {
    case "SETTLED":
      if (to.holdDays > 0 && isAwaited(quote)) {
        holdCollection(world, to);
        return true;
      }
      return collectOnce(world, quote, clearingOf(from)).fundedAt !== null;
    case "DECLINED":
    case "CANCELLED":
      failCollection(world, quote, factsOf(from, report));
      return true;
    case "RETURNED":
      if (from.releaseJobId !== null) endHold(world, to);
      if (isAwaited(quote)) failCollection(world, quote, factsOf(from, report));
      else returnQuoteCollection(world, to);
      return true;
    default:
      return true;
  }
}

/** Whether the quote waits for the money of its collection. */
function isAwaited({ status, fundedAt }: Quote): boolean {
  return status === "PROCESSING" && fundedAt === null;
}

/** Applies a report to a quote's payout. The transaction is PROCESSING since the execution. A refund begins here; its job ends it. */
function applyToQuote(world: World, quoteId: string, { report, from, to }: Step): boolean {
  const quote = world.get(quotes.ref(quoteId));
  const facts = factsOf(from, report);
  const clearing = clearingOf(from);
  switch (to.state) {
    case "SETTLED":
      return (
        settleOnce(world, quote, { clearing, channels: report.channels }).status === "COMPLETED"
      );
    case "DECLINED":
    case "CANCELLED": {
      const { refundReason } = declinedBy(facts, report);
      failQuote(world, { quote, failure: { ...facts, refundReason }, isInHouse: true });
      return true;
    }
    case "RETURNED":
      reversePayout(world, settleOnce(world, quote, { clearing }), {
        ...facts,
        clearing,
        isInHouse: true,
        cameMinor: present(to.returnedMinor, "what came back of a returned order"),
      });
      return true;
    default:
      return true;
  }
}

function declinedBy(
  facts: RailFacts,
  { status }: RailReport,
): Extract<TransferAnswer, { kind: "declined" }> {
  const isCancelled = status === "cancelled" && facts.failureReason !== "QUOTE_EXPIRED";
  return {
    kind: "declined",
    ...facts,
    refundReason: isCancelled ? "USER_CANCELLATION" : "TRANSACTION_FAILED",
    wasAccepted: false,
  };
}

/** Facts whose cause carries the rail's code and text. */
type RailFacts = FailureFacts & { readonly cause: FailureCause };

function factsOf({ direction, invoice }: RailPayment, report: RailReport): RailFacts {
  const side = direction === "PULL" ? "PULL" : "OUT";
  const failureReason = failureReasonOf(side, report, invoice?.layer);
  const usual = present(usualCauses[failureReason], failureReason);
  const { scheme, status, code = status.toUpperCase(), text = "" } = report;
  const isCancelled = status === "cancelled" && failureReason !== "QUOTE_EXPIRED";
  const cause = isCancelled
    ? ({ code: "CANCELLED", message: "The payment was cancelled before it was paid." } as const)
    : usual;
  return { failureReason, cause: { ...cause, rail: { scheme, code, text } } };
}

function lastReportOf(world: World, report: RailReport, source: ReportSource): LastReport {
  const { status, scheme, code, text } = report;
  return {
    status,
    scheme,
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text }),
    at: toIso(world.at),
    source,
  };
}

function whyOf({ status, code }: RailReport): string {
  return code === undefined ? status : `${status} (${code})`;
}

export function dayOf(at: number): string {
  return toIso(at).slice(0, 10);
}
