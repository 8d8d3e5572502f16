import type { Command, Loaded, World } from "../../../engine/command.ts";
import {
  accountNamed,
  ledgerAccounts,
  type SystemAccountName,
  systemAccount,
} from "../../../ledger/chart.ts";
import { assert } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { takesCredits } from "../../accounts/freezes/freeze.ts";
import {
  emitBalance,
  hasRoomFor,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { customers, holderExists } from "../../customers/customer.ts";
import type { CustomerInfo } from "../../customers/customer-info.ts";
import { type PaidChannel, scheduleHook } from "../../job-kinds.ts";
import { currencyNeeds, releaseExchange } from "../../prices/fx-positions/fx-position.ts";
import { shownRate } from "../../prices/rates/market-rate.ts";
import { simulatedClearing } from "../carrier/clearing.ts";
import {
  causes,
  type FailureCause,
  type FailureFacts,
  type FailureStage,
  failedAt,
  failureOf,
} from "../transactions/failure.ts";
import {
  moveTo,
  notifyAgent,
  type Refund,
  type ReturnedMoney,
  type Transaction,
  transactionSubject,
  transactions,
} from "../transactions/transaction.ts";
import type { RailAnswer } from "../transfers/payment-rail.port.ts";
import { accountsOfQuote } from "./execution.ts";
import { giveBackNeeds } from "./funded-outside.ts";
import { priceReturn, type ReturnPrice, returnPriceNeeds } from "./market/return-price.ts";
import { exchangeOf, payoutCurrency } from "./outside-terms.ts";
import { moveQuote, type Quote, quotes } from "./quote.ts";
import {
  type ConversionSides,
  convertedReturnPosting,
  convertPosting,
  holdingAccountOf,
  returnPosting,
} from "./quote-postings.ts";
import { beginAndFailRefund, beginRefund } from "./refund.ts";

export type PayoutAnswer = Extract<
  RailAnswer,
  { kind: "settled" | "declined" | "cancelled" | "returned" }
>;

export interface QuoteOutcomeInput {
  readonly quoteId: string;
  readonly transactionId: string;
  readonly jobId: string;
  readonly answer: PayoutAnswer;
}

/**
 * Records the outcome of a quote's payout.
 *
 *   settled    the held money is exchanged and paid out; COMPLETED
 *   declined   FAILED, and the payer is refunded
 *   cancelled  the money goes back first; the transaction completes once it is back
 *   returned   a payment that had arrived came back: its exchange is undone, FAILED, refund. The quote stays COMPLETED
 *
 * A final answer ends the job. A repeated outcome changes nothing.
 */
export const recordQuoteOutcome: Command<QuoteOutcomeInput, Quote> = {
  name: "record-quote-outcome",
  needs: (world, { answer, ...ids }) =>
    quoteOutcomeNeeds(world, { ...ids, mayReturn: answer.kind === "returned" }),
  decide(world, { quoteId, jobId, answer }) {
    const quote = world.get(quotes.ref(quoteId));
    const transaction = world.get(transactions.ref(quote.transactionId));
    const isOpen = transaction.status === "PROCESSING";
    // A refund has begun: later answers about the payout are ignored.
    const isOver = transaction.refund !== null || !(isOpen || transaction.status === "COMPLETED");
    if (isOver || isFinalAnswer(answer)) world.cancel(jobId);
    if (isOver) return quote;
    switch (answer.kind) {
      case "settled":
        return settleOnce(world, quote, { receiverInformation: answer.receiverInformation });
      case "declined":
        return isOpen ? failQuote(world, { quote, failure: answer }) : quote;
      case "cancelled":
        if (isOpen) cancel(world, quote, answer.cause);
        return quote;
      case "returned":
        return reversePayout(world, settleOnce(world, quote), answer);
    }
  },
};

/** Whether the answer ends the polling of the rail about the payout. */
function isFinalAnswer(answer: PayoutAnswer): boolean {
  return answer.kind !== "settled" || answer.mayComeBackInMs === undefined;
}

/** The rows that an outcome can touch. */
export function quoteOutcomeNeeds(
  world: Loaded,
  {
    quoteId,
    transactionId,
    mayReturn,
    clearing,
  }: Pick<QuoteOutcomeInput, "quoteId" | "transactionId"> & {
    readonly mayReturn: boolean;
    readonly clearing?: SystemAccountName;
  },
): readonly AnyRef[] {
  const refs: AnyRef[] = [quotes.ref(quoteId), transactions.ref(transactionId)];
  const quote = world.find(quotes.ref(quoteId));
  if (quote === undefined) return refs;
  const { internalSourceId, internalDestinationId, externalDestinationId } = accountsOfQuote(quote);
  if (internalSourceId !== undefined) refs.push(ledgerAccounts.ref(internalSourceId));
  if (internalSourceId !== undefined && mayReturn) {
    refs.push(...holderNeeds(world, internalSourceId));
  }
  if (externalDestinationId !== undefined) refs.push(externalAccounts.ref(externalDestinationId));
  if (internalDestinationId !== undefined) refs.push(...creditNeeds(world, internalDestinationId));
  const { sendingCurrency } = quote;
  const paidCurrency = payoutCurrency(quote);
  if (mayReturn) {
    refs.push(systemAccount(holdingAccountOf(undefined), sendingCurrency));
  }
  refs.push(
    systemAccount(holdingAccountOf(internalSourceId), sendingCurrency),
    systemAccount("fees", sendingCurrency),
    systemAccount("rounding", sendingCurrency),
    systemAccount("fx", sendingCurrency),
    systemAccount("fx", paidCurrency),
    accountNamed(clearing ?? simulatedClearing(paidCurrency)),
    ...currencyNeeds(world, sendingCurrency, paidCurrency),
    ...giveBackNeeds(world, quote),
    ...(mayReturn && clearing !== undefined ? returnPriceNeeds(world, quote) : []),
  );
  return refs;
}

/** The rows that tell whether an account can be paid. */
export function creditNeeds(world: Loaded, accountId: string): readonly AnyRef[] {
  return [ledgerAccounts.ref(accountId), ...holderNeeds(world, accountId)];
}

function holderNeeds(world: Loaded, accountId: string): readonly AnyRef[] {
  const account = internalAccounts.ref(accountId);
  const customerId = world.find(account)?.customerId ?? null;
  return customerId === null ? [account] : [account, customers.ref(customerId)];
}

/** Whether a payment can be credited now: its account is not frozen for credits, and can take the money. */
function canBePaid(world: World, accountId: string, minor: bigint): boolean {
  const account = world.get(internalAccounts.ref(accountId));
  return takesCredits(account) && canCredit(world, accountId, minor);
}

/** Whether an account can be credited: it has room, and its customer was not deleted. */
function canCredit(world: World, accountId: string, minor: bigint): boolean {
  const { customerId } = world.get(internalAccounts.ref(accountId));
  const ledger = world.get(ledgerAccounts.ref(accountId));
  return holderExists(world, customerId) && hasRoomFor(ledger, minor);
}

function sidesOf(quote: Quote, clearing?: SystemAccountName): ConversionSides {
  const { internalSourceId, internalDestinationId } = accountsOfQuote(quote);
  return { heldFor: internalSourceId, creditTo: internalDestinationId, clearing };
}

interface Arrival {
  readonly receiverInformation?: CustomerInfo | undefined;
  /** The account of the connection that paid it out; undefined for the simulated rail. */
  readonly clearing?: SystemAccountName;
  /** The internal account behind a UMA address of the same platform; undefined for every other payee. */
  readonly creditTo?: string | undefined;
  /** Over which an invoice of another institution was paid. */
  readonly channels?: readonly PaidChannel[] | undefined;
}

/** Books a payout that has arrived, with the receiver's data from its institution. A second call changes nothing. */
export function settleOnce(
  world: World,
  quote: Quote,
  { receiverInformation = {}, clearing, channels = [], ...arrived }: Arrival = {},
): Quote {
  if (quote.status !== "PROCESSING") return quote;
  const sides = sidesOf(quote, clearing);
  const { creditTo = arrived.creditTo } = sides;
  if (creditTo !== undefined && !canBePaid(world, creditTo, quote.receivingMinor)) {
    const failure = {
      failureReason: "QUOTE_EXECUTION_FAILED",
      cause: causes.accountFull,
      refundReason: "TRANSACTION_FAILED",
    } as const;
    return failQuote(world, { quote, failure });
  }
  world.post(convertPosting(quote, { ...sides, creditTo }));
  releaseExchange(world, exchangeOf(quote));
  const isKnown = Object.keys(receiverInformation).length > 0;
  const counterpartyInformation = isKnown
    ? { ...quote.counterpartyInformation, ...receiverInformation }
    : quote.counterpartyInformation;
  const completed = world.put(quotes, {
    ...moveQuote(quote, "COMPLETED", world.at),
    counterpartyInformation,
  });
  const transaction = world.get(transactions.ref(quote.transactionId));
  const settled = moveTo(transaction, "COMPLETED", {
    at: world.at,
    settledAt: world.at,
    outcome:
      isKnown && counterpartyInformation !== null
        ? { ...transaction.outcome, counterpartyInformation }
        : transaction.outcome,
  });
  world.put(transactions, settled);
  if (quote.settlement?.hook?.callback !== undefined) {
    scheduleHook(world, { transactionId: settled.id, channels });
  }
  world.emit("OUTGOING_PAYMENT.COMPLETED", transactionSubject(settled));
  if (creditTo !== undefined) emitBalance(world, creditTo);
  return completed;
}

interface PayoutFailure extends FailureFacts {
  readonly refundReason: Refund["reason"];
  readonly missingPayerFields?: readonly string[];
}

export function failQuote(
  world: World,
  {
    quote,
    failure,
    isInHouse = false,
  }: { readonly quote: Quote; readonly failure: PayoutFailure; readonly isInHouse?: boolean },
): Quote {
  const failed = world.put(quotes, moveQuote(quote, "FAILED", world.at));
  releaseExchange(world, exchangeOf(quote));
  failTransaction(world, quote, { ...failure, stage: "PAYOUT" });
  beginRefund(world, { quote: failed, reason: failure.refundReason, isInHouse });
  return failed;
}

/**
 * Books a payment that the bank returned after it had arrived, and refunds the sender. `priceReturn` prices an amount returned by a
 * connection; on the simulated rail the exchange is reversed. When the sender's account has no room or its customer was deleted, the money
 * moves to `paid-in` like money from outside, and the refund fails and waits for an operator.
 */
export function reversePayout(
  world: World,
  quote: Quote,
  {
    isInHouse = false,
    clearing,
    cameMinor,
    ...facts
  }: FailureFacts & {
    readonly isInHouse?: boolean;
    readonly clearing?: SystemAccountName;
    /** The returned amount that the connection reports; undefined for the simulated rail. */
    readonly cameMinor?: bigint;
  },
): Quote {
  const { status } = world.get(transactions.ref(quote.transactionId));
  if (status !== "COMPLETED") return quote;
  const sides = sidesOf(quote, clearing);
  const { heldFor } = sides;
  const price =
    cameMinor === undefined ? ({ kind: "undone" } as const) : priceReturn(world, quote, cameMinor);
  assert(price.kind !== "none", "a return without a price is not taken");
  const isConverted = price.kind === "converted";
  const minor = isConverted ? price.refundMinor : quote.sendingMinor;
  const isTaken = heldFor === undefined || canCredit(world, heldFor, minor);
  const to = isTaken ? sides : { ...sides, heldFor: undefined };
  world.post(isConverted ? convertedReturnPosting(quote, to, price) : returnPosting(quote, to));
  failTransaction(world, quote, { ...facts, stage: "RETURN" });
  const returned = isConverted ? returnedMoney(price) : undefined;
  const refund = { quote, reason: "TRANSACTION_FAILED", isInHouse, returned } as const;
  if (isTaken) beginRefund(world, refund);
  else beginAndFailRefund(world, refund);
  return quote;
}

function returnedMoney({
  cameMinor,
  refundMinor,
  rate,
}: Extract<ReturnPrice, { kind: "converted" }>): ReturnedMoney {
  const amounts = { cameMinor: cameMinor.toString(), refundMinor: refundMinor.toString() };
  if (rate === undefined) return amounts;
  const { numerator, denominator } = shownRate(rate);
  const shown = { numerator: numerator.toString(), denominator: denominator.toString() };
  return { ...amounts, rate: shown };
}

/** Begins the refund of a cancelled payment. Its transaction completes once the money is back. */
function cancel(world: World, quote: Quote, cause: FailureCause = causes.cancelled): void {
  const transaction = world.get(transactions.ref(quote.transactionId));
  world.put(transactions, { ...transaction, failure: failureOf("PAYOUT", cause, world.at) });
  beginRefund(world, { quote, reason: "USER_CANCELLATION" });
}

export function failTransaction(
  world: World,
  { transactionId }: Quote,
  failure: Omit<PayoutFailure, "refundReason"> & { readonly stage: FailureStage },
): Transaction {
  const transaction = world.get(transactions.ref(transactionId));
  const { stage, missingPayerFields = [] } = failure;
  const requiredPayerDataFields = missingPayerFields.map((name) => ({ name, mandatory: true }));
  const failed = world.put(
    transactions,
    moveTo(transaction, "FAILED", {
      at: world.at,
      ...failedAt(stage, failure, world.at),
      outcome:
        missingPayerFields.length === 0
          ? transaction.outcome
          : { ...transaction.outcome, requiredPayerDataFields },
    }),
  );
  world.emit("OUTGOING_PAYMENT.FAILED", transactionSubject(failed));
  notifyAgent(world, failed);
  return failed;
}
