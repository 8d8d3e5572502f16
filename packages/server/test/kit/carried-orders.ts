/** Orders of each kind at the connection of `rail-rows.ts`, accepted or settled, with the rows and balances that they stand for. */

import { externalAccounts } from "../../src/domain/accounts/external/external-account.ts";
import type { InternalAccount } from "../../src/domain/accounts/internal/internal-account.ts";
import { internalAccounts } from "../../src/domain/accounts/internal/internal-account.ts";
import { type Quote, quotes } from "../../src/domain/payments/quotes/quote.ts";
import {
  type Transaction,
  toTransactionId,
  transactions,
} from "../../src/domain/payments/transactions/transaction.ts";
import { platforms } from "../../src/domain/platform.ts";
import { fxPositions, positionId } from "../../src/domain/prices/fx-positions/fx-position.ts";
import { type RateSource, rateSources } from "../../src/domain/prices/rate-sources/rate-source.ts";
import { railConnections } from "../../src/domain/rails/connections/rail-connection.ts";
import { type RailEntry, railEntries } from "../../src/domain/rails/entries/rail-entry.ts";
import { type RailItem, railItems } from "../../src/domain/rails/entries/rail-item.ts";
import { type RailPayment, railPayments } from "../../src/domain/rails/orders/rail-payment.ts";
import { railRoutings } from "../../src/domain/rails/routes/routing.ts";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
  type SystemAccountName,
} from "../../src/ledger/chart.ts";
import { DECIDED_AT, rowsOf, type TableRows } from "./decide-alone.ts";
import { external, internal, PLATFORM, platform, quote, quoteTransaction } from "./payment-rows.ts";
import { connection, queuedOrder } from "./rail-rows.ts";

const idOf = (digits: string) => `018f0000-0000-7000-8000-${digits.padStart(12, "0")}`;

/** What a payer outside sent, of which a refund gives a part back. */
export const ORIGINAL = idOf("f5");
/** Of the customer, in euros, which a quote pays. */
export const EUROS: InternalAccount = {
  ...internal,
  customerId: null,
  id: idOf("f6"),
  currency: "EUR",
};
const [ENTRY, ITEM] = [idOf("f7"), idOf("f8")];

export const orderKinds = [
  "a transfer",
  "a refund",
  "a quote",
  "a quote within a currency",
  "a collection",
  "a collection for a quote",
  "money back",
] as const;
export type OrderKind = (typeof orderKinds)[number];

/** In dollars; an order of a quote with an exchange is in euros. */
export const SENT = 1_009n;
/** Of the account inside, beside what it holds for the order. */
export const AVAILABLE = 5_000n;

const isCollection = (kind: OrderKind) =>
  kind === "a collection" || kind === "a collection for a quote";
const isOfQuote = (kind: OrderKind) =>
  kind === "a quote" || kind === "a quote within a currency" || kind === "a collection for a quote";
const paysEuros = (kind: OrderKind) => kind === "a quote" || kind === "a collection for a quote";

/** 1.25 dollars a euro, without fees. */
function quoteOf(kind: OrderKind, isSettled: boolean): Quote {
  const isExchange = paysEuros(kind);
  const receivingMinor = isExchange ? (SENT * 4n) / 5n : SENT;
  const from = kind === "a collection for a quote" ? external.id : internal.id;
  const to = kind === "a collection for a quote" ? EUROS.id : external.id;
  const idIn = (id: string) => `${id === external.id ? "External" : "Internal"}Account:${id}`;
  return {
    ...quote,
    customerId: null,
    status: isSettled ? "COMPLETED" : "PROCESSING",
    source: { sourceType: "ACCOUNT", accountId: idIn(from) },
    destination: { destinationType: "ACCOUNT", accountId: idIn(to) },
    sourceAccountId: from,
    destinationAccountId: to,
    receivingCurrency: isExchange ? "EUR" : "USD",
    sendingMinor: SENT,
    receivingMinor,
    convertedMinor: SENT,
    ...{ feesMinor: 0n, fixedFeeMinor: 0n, variableFeeMinor: 0n, variableFeeMillionths: 0n },
    rateNumerator: receivingMinor,
    rateDenominator: SENT,
    fundedAt: kind === "a collection for a quote" ? null : DECIDED_AT,
  };
}

function transactionOf(kind: OrderKind, isSettled: boolean): Transaction {
  const isIn = kind === "a collection";
  const { receivingMinor, receivingCurrency } = quoteOf(kind, isSettled);
  return {
    ...quoteTransaction,
    type: isIn ? "INCOMING" : "OUTGOING",
    status: isSettled ? "COMPLETED" : isIn ? "PENDING" : "PROCESSING",
    customerId: null,
    sourceAccountId: isCollection(kind) ? external.id : internal.id,
    destinationAccountId:
      kind === "a collection for a quote" ? EUROS.id : isIn ? internal.id : external.id,
    sentMinor: SENT,
    receivedMinor: isOfQuote(kind) ? receivingMinor : SENT,
    receivedCurrency: isOfQuote(kind) ? receivingCurrency : "USD",
    quoteId: isOfQuote(kind) ? quote.id : null,
    details:
      kind === "a refund" ? { refundOf: toTransactionId(ORIGINAL), refundReason: "OTHER" } : null,
    settledAt: isSettled ? DECIDED_AT : null,
  };
}

function originalOf(isSettled: boolean): Transaction {
  const counts = isSettled
    ? { refundedMinor: String(SENT), refundPendingMinor: "0" }
    : { refundedMinor: "0", refundPendingMinor: String(SENT) };
  return {
    ...{ ...quoteTransaction, id: ORIGINAL, type: "INCOMING", status: "COMPLETED", quoteId: null },
    ...{ receivedMinor: 10n * SENT, receivedCurrency: "USD", customerId: null, outcome: counts },
  };
}

export function orderOf(kind: OrderKind, isSettled: boolean): RailPayment {
  const isExchange = kind === "a quote";
  const direction = kind === "money back" ? "BACK" : isCollection(kind) ? "PULL" : "OUT";
  const amountMinor = isExchange ? quoteOf(kind, isSettled).receivingMinor : SENT;
  const sign = direction === "PULL" ? 1n : -1n;
  return {
    ...queuedOrder,
    transactionId: kind === "money back" ? null : quoteTransaction.id,
    direction,
    currency: isExchange ? "EUR" : "USD",
    amountMinor,
    state: isSettled ? "SETTLED" : "ACCEPTED",
    settledOn: isSettled ? "2026-11-20" : null,
    untoldMinor: isSettled ? sign * amountMinor : 0n,
    itemId: kind === "money back" ? ITEM : null,
    originalEntryId: kind === "money back" ? ENTRY : null,
    jobId: isSettled ? null : queuedOrder.jobId,
  };
}

/** The line by which the money of `money back` came. */
export const entry: RailEntry = {
  id: ENTRY,
  connectionId: connection.id,
  bankReference: "B-0",
  direction: "CREDIT",
  currency: "USD",
  amountMinor: SENT,
  bookedOn: "2026-11-20",
  bookedAt: null,
  valueDate: null,
  reference: null,
  remittance: null,
  payer: { account: "99887766" },
  virtualAccount: null,
  invoiceId: null,
  feeOf: null,
  bookedAs: "SUSPENSE",
  paymentId: null,
  addressId: null,
  transactionId: null,
  source: "CALLBACK",
  bookedBy: "connector",
  createdAt: DECIDED_AT,
};

/** The item as which it was set aside. */
export const item: RailItem = {
  id: ITEM,
  connectionId: connection.id,
  entryId: ENTRY,
  accountId: null,
  transactionId: null,
  paymentId: null,
  suggestedPaymentId: null,
  reason: "UNREFERENCED",
  direction: "CREDIT",
  currency: "USD",
  amountMinor: SENT,
  state: "RESOLVED",
  agedDays: 0,
  jobId: null,
  resolution: null,
  resolvedAt: DECIDED_AT,
  createdAt: DECIDED_AT,
};

const system = (name: SystemAccountName, balanceMinor: bigint): LedgerAccount => ({
  ...newSystemAccount(name, DECIDED_AT),
  balanceMinor,
});

function accountsOf(kind: OrderKind, isSettled: boolean): readonly LedgerAccount[] {
  const isHeld = !isSettled && !isCollection(kind) && kind !== "money back";
  const heldMinor = isHeld ? SENT : 0n;
  const isExchanged = isSettled && paysEuros(kind);
  const { amountMinor, currency } = orderOf(kind, isSettled);
  const connectionId = connection.id;
  const settledMinor = isSettled ? amountMinor : 0n;
  const inSuspense = kind === "money back" && !isSettled ? SENT : 0n;
  const named = (of: "clearing" | "suspense", minor: bigint) =>
    system({ system: of, currency, connectionId }, minor);
  return [
    {
      ...newInternalLedgerAccount(internal.id, "USD", DECIDED_AT),
      balanceMinor: AVAILABLE,
      heldMinor,
    },
    newInternalLedgerAccount(EUROS.id, "EUR", DECIDED_AT),
    system({ system: "in-flight", currency: "USD" }, heldMinor),
    named("clearing", settledMinor - inSuspense),
    named("suspense", inSuspense),
    system({ system: "fx", currency: "USD" }, isExchanged ? SENT : 0n),
    system({ system: "fx", currency: "EUR" }, isExchanged ? -(SENT * 4n) / 5n : 0n),
  ];
}

/** The rows of a production platform with the order; the rate is that of this moment. */
export function rowsOfOrder(
  kind: OrderKind,
  { isSettled, rate = "1.25" }: { readonly isSettled: boolean; readonly rate?: string },
): readonly TableRows[] {
  const at = new Date(DECIDED_AT).toISOString();
  const source = {
    ...{ id: idOf("f1"), name: "desk", kind: "FIXED", pivots: [], priority: 1 },
    ...{ maxAgeMinutes: 60, deletedAt: null, asOf: null, createdAt: 1 },
    rates: [{ base: "EUR", quote: "USD", rate, asOf: at }],
  };
  const committed = (currency: string, committedMinor: bigint) => ({
    ...{ id: positionId(currency), currency, maxLong: null, maxShort: null, updatedAt: 1 },
    committedMinor: isSettled || !paysEuros(kind) ? 0n : committedMinor,
  });
  return [
    rowsOf(platforms, { ...platform, environment: "PRODUCTION" }),
    rowsOf(railConnections, { ...connection, currencies: ["USD", "EUR"] }),
    rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
    rowsOf(railPayments, orderOf(kind, isSettled)),
    rowsOf(transactions, transactionOf(kind, isSettled), originalOf(isSettled)),
    rowsOf(quotes, quoteOf(kind, isSettled)),
    rowsOf(internalAccounts, { ...internal, customerId: null }, EUROS),
    rowsOf(externalAccounts, external),
    rowsOf(ledgerAccounts, ...accountsOf(kind, isSettled)),
    rowsOf(fxPositions, committed("USD", SENT), committed("EUR", -(SENT * 4n) / 5n)),
    rowsOf(rateSources, source as unknown as RateSource),
    rowsOf(railEntries, entry),
    rowsOf(railItems, item),
  ];
}
