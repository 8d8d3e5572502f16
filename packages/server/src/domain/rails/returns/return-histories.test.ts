/**
 * Random histories of payouts by their commands alone, without a database: transfers, refunds of a payment that came in, and quotes; settled, returned by the
 * rail in whole, short and late, quoted by payers, marked, and resolved by a person, while the rate moves. After each step the accounts are what
 * arithmetic on the orders says, and a quote by a payer has changed no order.
 */
import { expect, it } from "vitest";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import { DECIDED_AT, rowsOf, type TableRows, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  internal,
  PLATFORM,
  platform,
  quote as quoteRow,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { connection as connectionRow, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  accountNamed,
  ledgerAccounts,
  newInternalLedgerAccount,
  type SystemAccountName,
  systemAccount,
} from "../../../ledger/chart.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { type Quote, quotes } from "../../payments/quotes/quote.ts";
import { holdPosting } from "../../payments/quotes/quote-postings.ts";
import { beginRefund, refundCounts } from "../../payments/transactions/incoming-refund.ts";
import {
  type Transaction,
  toTransactionId,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { commitExchange, currencyNeeds } from "../../prices/fx-positions/fx-position.ts";
import { type RateSource, rateSources } from "../../prices/rate-sources/rate-source.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { signedMinor, type ToldEntry } from "../entries/rail-entry.ts";
import { type RailItem, railItems } from "../entries/rail-item.ts";
import { resolveRailItem } from "../entries/resolve-rail-item.ts";
import { markRailPayments } from "../orders/mark-rail-payments.ts";
import { endToEndIdOf, type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { recordRailCallback } from "../orders/record-rail-callback.ts";

const HISTORIES = 8;
const STEPS = 250;
const START = 1_000_000n;
const ORIGINAL = "018f0000-0000-7000-8000-0000000000f5";

/** The rows of a platform, which commands change as the engine would. */
class Rows {
  readonly #tables = new Map<Table<TableRow>, Map<string, TableRow>>();

  put([table, rows]: TableRows): void {
    const known = this.#tables.get(table) ?? new Map<string, TableRow>();
    this.#tables.set(table, known);
    for (const row of rows) known.set(row.id, row);
  }

  all<Row extends TableRow>(table: Table<Row>): readonly Row[] {
    const rows = this.#tables.get(table as unknown as Table<TableRow>)?.values() ?? [];
    return [...rows] as unknown as readonly Row[];
  }

  /** Whether it was taken; a command that is refused changes nothing. */
  run<Input, Output>(command: Command<Input, Output>, input: Input): boolean {
    const tables = [...this.#tables].map(([table, rows]): TableRows => [table, [...rows.values()]]);
    const world = worldFor({ command, input, platformId: PLATFORM, tables });
    try {
      command.decide(world, input);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      return false;
    }
    for (const [table, dirty] of world.dirty) {
      this.put([table, [...dirty.values()].map(({ row }) => row)]);
    }
    return true;
  }
}

interface History {
  readonly rows: Rows;
  readonly chance: (below: number) => number;
  /** What the account outside has, by lines. */
  readonly outside: Record<string, bigint>;
}

function opened(seed: number): History {
  const rows = new Rows();
  rows.put(rowsOf(platforms, { ...platform, environment: "PRODUCTION" }));
  rows.put(rowsOf(railConnections, { ...connectionRow, currencies: ["USD", "EUR"] }));
  rows.put(rowsOf(internalAccounts, { ...internal, customerId: null }));
  const account = newInternalLedgerAccount(internal.id, "USD", 1);
  rows.put(rowsOf(ledgerAccounts, { ...account, balanceMinor: START }));
  const original: Transaction = {
    ...{ ...quoteTransaction, id: ORIGINAL, type: "INCOMING", status: "COMPLETED", quoteId: null },
    ...{ receivedMinor: START, receivedCurrency: "USD", customerId: null },
  };
  rows.put(rowsOf(transactions, original));
  return { rows, chance: chanceFrom(seed), outside: { USD: 0n, EUR: 0n } };
}

interface Pay {
  readonly kind: "transfer" | "refund" | "quote";
  readonly minor: bigint;
}

/** A payout that was accepted, and sent. */
const pay: Command<Pay, undefined> = {
  name: "pay",
  needs: (world) => [
    ledgerAccounts.ref(internal.id),
    systemAccount("in-flight", "USD"),
    transactions.ref(ORIGINAL),
    ...currencyNeeds(world, "USD", "EUR"),
  ],
  decide(world, { kind, minor }) {
    const [id, quoteId, paymentId] = [world.newId(), world.newId(), world.newId()];
    const isQuote = kind === "quote";
    const receivingMinor = isQuote ? (minor * 4n) / 5n : minor;
    const quote: Quote = {
      ...{ ...quoteRow, id: quoteId, transactionId: id, status: "PROCESSING", fundedAt: world.at },
      ...{ sendingMinor: minor, receivingMinor, convertedMinor: (receivingMinor * 5n) / 4n },
      ...{ fixedFeeMinor: 0n, variableFeeMinor: 0n, feesMinor: 0n },
    };
    world.post(holdPosting(quote, internal.id));
    if (isQuote) commitExchange(world, world.put(quotes, quote));
    const refundOf = { refundOf: toTransactionId(ORIGINAL), refundReason: "OTHER" };
    world.put(transactions, {
      ...{ ...quoteTransaction, id, status: "PROCESSING", quoteId: isQuote ? quoteId : null },
      ...{ sentMinor: minor, receivedMinor: receivingMinor, customerId: null },
      ...{
        receivedCurrency: isQuote ? "EUR" : "USD",
        details: kind === "refund" ? refundOf : null,
      },
    });
    world.put(railPayments, {
      ...{ ...queuedOrder, id: paymentId, transactionId: id, state: "SENT", jobId: null },
      ...{ currency: isQuote ? "EUR" : "USD", amountMinor: receivingMinor },
    });
    if (kind === "refund") beginRefund(world, world.get(transactions.ref(ORIGINAL)), minor);
    return undefined;
  },
};

const anyOf = <Of>({ chance }: History, list: readonly Of[]): Of | undefined =>
  list[chance(Math.max(1, list.length))];

const DAYS = ["2026-11-20", "2026-11-21", "2026-12-04", "2027-01-04"];

const noted = {
  scheme: "CONNECTOR",
  code: undefined,
  text: undefined,
  reference: undefined,
} as const;

/** What a return may come to: all, a little less, hardly anything, more. */
function cameOf(history: History, { amountMinor }: RailPayment): bigint {
  const all = [amountMinor, amountMinor, (amountMinor * 95n) / 100n, (amountMinor * 9n) / 10n];
  return anyOf(history, [...all, amountMinor / 2n, 1n, amountMinor + 1n]) ?? amountMinor;
}

function report(history: History, payment: RailPayment): void {
  const status =
    anyOf(history, ["settled", "settled", "declined", "returned"] as const) ?? "settled";
  const amountMinor = status === "returned" ? cameOf(history, payment) : undefined;
  const told = { ...noted, status, settledOn: DAYS[0], amountMinor };
  const input = { kind: "payment", paymentId: payment.id, report: told } as const;
  history.rows.run(recordRailCallback, { connectionId: connectionRow.id, told: input });
}

let lines = 0;

function line(history: History, payment: RailPayment): void {
  const { rows, chance, outside } = history;
  const { id, currency } = payment;
  const name = endToEndIdOf(id);
  const isStated = chance(2) === 0;
  const entry: ToldEntry = {
    ...{ bankReference: `L-${++lines}`, direction: chance(3) === 0 ? "DEBIT" : "CREDIT", currency },
    ...{ amountMinor: cameOf(history, payment), bookedOn: anyOf(history, DAYS) ?? "" },
    ...{ bookedAt: null, valueDate: null, payer: null, virtualAccount: null, references: [] },
    ...{
      instructionId: undefined,
      invoiceId: null,
      feeOf: null,
      returnOf: undefined,
      paymentId: isStated ? id : undefined,
    },
    ...{ reference: chance(2) === 0 ? name : null, remittance: `for ${name}` },
  };
  const told = { kind: "entry", entry } as const;
  const before = rows.all(railPayments).find((each) => each.id === id);
  if (!rows.run(recordRailCallback, { connectionId: connectionRow.id, told })) return;
  outside[currency] = (outside[currency] ?? 0n) + signedMinor(entry);
  if (isStated || entry.direction === "DEBIT") return;
  const after = rows.all(railPayments).find((each) => each.id === id);
  expect([after?.state, after?.isConflict, after?.returnedMinor]).toEqual([
    before?.state,
    before?.isConflict,
    before?.returnedMinor,
  ]);
}

function mark({ rows }: History, { id: paymentId }: RailPayment): void {
  const absent = { reference: undefined, valueDate: undefined, code: undefined, text: undefined };
  const marks = [{ ...absent, paymentId, outcome: "RETURNED" as const }];
  rows.run(markRailPayments, { marks, fieldOf: (_index, name) => name });
}

function resolve(history: History): void {
  const { rows } = history;
  const open = rows.all(railItems).filter(({ state }) => state === "OPEN");
  const item = anyOf(
    history,
    open.filter(({ suggestedPaymentId }) => suggestedPaymentId !== null),
  );
  if (item === undefined) return;
  const { id: itemId, amountMinor: minor, direction, suggestedPaymentId } = item;
  const outcome = direction === "CREDIT" ? "RETURNED" : "SETTLED";
  const part = { kind: "PAYMENT", minor, paymentId: suggestedPaymentId ?? "", outcome } as const;
  rows.run(resolveRailItem, { itemId, parts: [part], note: "known" });
}

/** The rate moves; sometimes there is none that is young. */
function moveRate({ rows, chance }: History): void {
  const asOf = new Date(DECIDED_AT - (chance(4) === 0 ? 7_200_000 : 0)).toISOString();
  const rates = [{ base: "EUR", quote: "USD", rate: `1.${10 + chance(80)}`, asOf }];
  const source = {
    ...{ id: "018f0000-0000-7000-8000-0000000000f1", name: "desk", kind: "FIXED", rates },
    ...{ pivots: [], priority: 1, maxAgeMinutes: 60, deletedAt: null, createdAt: 1 },
  };
  rows.put(rowsOf(rateSources, source as unknown as RateSource));
}

function step(history: History): void {
  const { rows, chance } = history;
  const kind = (["transfer", "refund", "quote"] as const)[chance(3)] ?? "transfer";
  const payment = anyOf(history, rows.all(railPayments));
  const choice = chance(10);
  if (choice < 2 || payment === undefined)
    rows.run(pay, { kind, minor: 100n + BigInt(chance(900)) });
  else if (choice < 4) report(history, payment);
  else if (choice < 7) line(history, payment);
  else if (choice === 7) resolve(history);
  else if (choice === 8 && chance(3) === 0) mark(history, payment);
  else moveRate(history);
}

const sum = (minors: readonly bigint[]) => minors.reduce((total, minor) => total + minor, 0n);

function expectBooks({ rows, outside }: History): void {
  const accounts = rows.all(ledgerAccounts);
  const of = (name: SystemAccountName) =>
    accounts.find(({ id }) => id === accountNamed(name).id)?.balanceMinor ?? 0n;
  const byId = new Map(rows.all(transactions).map((each) => [each.id, each]));
  const orders = rows.all(railPayments).map((order) => {
    const transaction = byId.get(order.transactionId ?? "") as Transaction;
    const { returned } = transaction.refund ?? {};
    const isReturned = order.state === "RETURNED";
    expect(returned?.cameMinor).toBe(isReturned ? String(order.returnedMinor) : undefined);
    const back = BigInt(returned?.refundMinor ?? 0);
    return { order, transaction, back, came: order.returnedMinor ?? 0n };
  });
  const isOver = ({ state }: RailPayment) => state === "SETTLED" || state === "RETURNED";
  const settled = orders.filter(({ order }) => isOver(order));
  const exchanged = settled.filter(({ transaction }) => transaction.quoteId !== null);
  const items = rows.all(railItems).filter(({ state }) => state === "OPEN");
  const connectionId = connectionRow.id;
  for (const currency of ["USD", "EUR"]) {
    const own = orders.filter(({ order }) => order.currency === currency);
    const untold = sum(own.map(({ order }) => order.untoldMinor));
    expect(-of({ system: "clearing", currency, connectionId })).toBe(
      (outside[currency] ?? 0n) + untold,
    );
    const waiting = items.filter((item) => item.currency === currency);
    const aside = sum(waiting.map((item: RailItem) => signedMinor(item)));
    expect(of({ system: "suspense", currency, connectionId })).toBe(aside);
  }
  const short = items.filter(({ reason }) => reason === "SHORT_RETURN");
  const charges = sum(short.map(({ amountMinor }) => amountMinor));
  expect(of({ system: "own-funds", currency: "USD", connectionId })).toBe(-charges);
  const account = accounts.find(({ id }) => id === internal.id);
  const paid = sum(settled.map(({ transaction }) => transaction.sentMinor ?? 0n));
  expect((account?.balanceMinor ?? 0n) + (account?.heldMinor ?? 0n)).toBe(
    START - paid + sum(settled.map(({ back }) => back)),
  );
  expect(of({ system: "fx", currency: "EUR" })).toBe(
    sum(exchanged.map(({ order, came }) => came - order.amountMinor)),
  );
  const refunds = settled.filter(({ transaction }) => transaction.details !== null);
  const { refundedMinor } = refundCounts(byId.get(ORIGINAL) as Transaction);
  expect(refundedMinor).toBe(sum(refunds.map(({ order, came }) => order.amountMinor - came)));
}

const met = new Set<string>();

it.each(Array.from({ length: HISTORIES }, (_, index) => index + 1))(
  "gives back what came in history %i",
  (seed) => {
    const history = opened(seed);
    moveRate(history);
    for (let count = 0; count < STEPS; count++) {
      step(history);
      expectBooks(history);
    }
    for (const { reason } of history.rows.all(railItems)) met.add(reason);
    for (const { state, isConflict } of history.rows.all(railPayments)) {
      met.add(isConflict ? `${state} in conflict` : state);
    }
  },
);

it("has met what becomes of returns", () => {
  const wanted = ["UNREFERENCED", "AMOUNT_DIFFERS", "LATE", "NO_RATE", "SHORT_RETURN"];
  const states = ["SETTLED", "RETURNED", "DECLINED", "SETTLED in conflict"];
  expect([...wanted, ...states].filter((each) => !met.has(each))).toEqual([]);
});
