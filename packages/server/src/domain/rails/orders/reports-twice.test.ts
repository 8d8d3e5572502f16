/** What each report does to each kind of order that was accepted: its state, its transaction, and where the money is. Told once more, it does nothing. */
import { describe, expect, it } from "vitest";
import {
  AVAILABLE,
  EUROS,
  ORIGINAL,
  type OrderKind,
  orderOf,
  rowsOfOrder,
  SENT,
} from "../../../../test/kit/carried-orders.ts";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { internal, PLATFORM, quote, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { ledgerAccounts, systemAccountId } from "../../../ledger/chart.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { refundCounts } from "../../payments/transactions/incoming-refund.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { fxPositions } from "../../prices/fx-positions/fx-position.ts";
import { rateSources } from "../../prices/rate-sources/rate-source.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { railEntries } from "../entries/rail-entry.ts";
import { railItems } from "../entries/rail-item.ts";
import { railRoutings } from "../routes/routing.ts";
import { railPayments } from "./rail-payment.ts";
import { type RailReport, type ReportStatus, reportStatuses } from "./rail-report.ts";
import { recordRailCallback } from "./record-rail-callback.ts";

interface After {
  readonly state: string;
  readonly status: string | undefined;
  /** Of the account inside, with what is held. */
  readonly total: bigint;
  /** What went out at the connection, less what came in there. */
  readonly out: bigint;
}

const EURO_CENTS = orderOf("a quote", false).amountMinor;
const HOLDS = AVAILABLE + SENT;

/** By kind: as it is while nothing new is known, and after each report that ends it. */
const TABLE: Readonly<
  Partial<Record<OrderKind, Readonly<Record<"open" | "settled" | "declined" | "returned", After>>>>
> = {
  "a transfer": {
    open: { state: "ACCEPTED", status: "PROCESSING", total: HOLDS, out: 0n },
    settled: { state: "SETTLED", status: "COMPLETED", total: AVAILABLE, out: SENT },
    declined: { state: "DECLINED", status: "FAILED", total: HOLDS, out: 0n },
    returned: { state: "RETURNED", status: "FAILED", total: HOLDS, out: 0n },
  },
  "a refund": {
    open: { state: "ACCEPTED", status: "PROCESSING", total: HOLDS, out: 0n },
    settled: { state: "SETTLED", status: "COMPLETED", total: AVAILABLE, out: SENT },
    declined: { state: "DECLINED", status: "FAILED", total: HOLDS, out: 0n },
    returned: { state: "RETURNED", status: "FAILED", total: HOLDS, out: 0n },
  },
  "a collection": {
    open: { state: "ACCEPTED", status: "PENDING", total: AVAILABLE, out: 0n },
    settled: { state: "SETTLED", status: "COMPLETED", total: HOLDS, out: -SENT },
    declined: { state: "DECLINED", status: "FAILED", total: AVAILABLE, out: 0n },
    returned: { state: "RETURNED", status: "FAILED", total: AVAILABLE, out: 0n },
  },
  "a quote": {
    open: { state: "ACCEPTED", status: "PROCESSING", total: HOLDS, out: 0n },
    settled: { state: "SETTLED", status: "COMPLETED", total: AVAILABLE, out: EURO_CENTS },
    declined: { state: "DECLINED", status: "FAILED", total: HOLDS, out: 0n },
    // Exchanged back at the rate of this moment, rounded down.
    returned: {
      state: "RETURNED",
      status: "FAILED",
      total: AVAILABLE + (EURO_CENTS * 5n) / 4n,
      out: 0n,
    },
  },
  "a quote within a currency": {
    open: { state: "ACCEPTED", status: "PROCESSING", total: HOLDS, out: 0n },
    settled: { state: "SETTLED", status: "COMPLETED", total: AVAILABLE, out: SENT },
    declined: { state: "DECLINED", status: "FAILED", total: HOLDS, out: 0n },
    returned: { state: "RETURNED", status: "FAILED", total: HOLDS, out: 0n },
  },
  "a collection for a quote": {
    open: { state: "ACCEPTED", status: "PROCESSING", total: AVAILABLE, out: 0n },
    // The payout in the house is a job.
    settled: { state: "SETTLED", status: "PROCESSING", total: AVAILABLE, out: -SENT },
    declined: { state: "DECLINED", status: "FAILED", total: AVAILABLE, out: 0n },
    returned: { state: "RETURNED", status: "FAILED", total: AVAILABLE, out: 0n },
  },
  "money back": {
    open: { state: "ACCEPTED", status: undefined, total: AVAILABLE, out: -SENT },
    settled: { state: "SETTLED", status: undefined, total: AVAILABLE, out: 0n },
    declined: { state: "DECLINED", status: undefined, total: AVAILABLE, out: -SENT },
    returned: { state: "RETURNED", status: undefined, total: AVAILABLE, out: 0n },
  },
};

/** Which column a report is in; a conflict leaves the order as it was, for a person. */
const COLUMN: Readonly<Record<ReportStatus, "open" | "settled" | "declined" | "returned">> = {
  ...{ sent: "open", accepted: "open", unknown: "open", "not-received": "open", conflict: "open" },
  ...{ settled: "settled", declined: "declined", cancelled: "declined", returned: "returned" },
};
const CONFLICTS: readonly ReportStatus[] = ["not-received", "conflict"];

const CASES = (Object.keys(TABLE) as OrderKind[]).flatMap((kind) =>
  reportStatuses.map((status) => ({ kind, status })),
);

const TABLES = [
  ...[platforms, railConnections, railRoutings, railPayments, transactions, quotes],
  ...[internalAccounts, externalAccounts, ledgerAccounts, fxPositions, rateSources],
  ...[railEntries, railItems],
] as unknown as readonly (typeof platforms)[];

function told(kind: OrderKind, status: ReportStatus, isSettled = false) {
  const report: RailReport = {
    ...{ status, scheme: "CONNECTOR", code: "AC04", text: "closed" },
    ...{ reference: undefined, settledOn: "2026-11-20", amountMinor: undefined },
  };
  const { id: paymentId } = orderOf(kind, false);
  const input = {
    connectionId: connection.id,
    told: { kind: "payment", paymentId, report },
  } as const;
  const rows = new DecidedRows(PLATFORM, rowsOfOrder(kind, { isSettled }));
  const actor = { kind: "worker", id: "callbacks" } as const;
  expect(rows.run(recordRailCallback, input, { actor, at: DECIDED_AT })).toBe("taken");
  return { rows, input };
}

function standing(rows: DecidedRows, kind: OrderKind): After & { readonly isConflict: boolean } {
  const [order] = rows.all(railPayments);
  const { currency } = orderOf(kind, false);
  const accounts = rows.all(ledgerAccounts);
  const of = (id: string) => accounts.find((each) => each.id === id);
  const transaction = rows.all(transactions).find(({ id }) => id === order?.transactionId);
  const inside = of(internal.id);
  return {
    state: order?.state ?? "",
    isConflict: order?.isConflict ?? false,
    status: transaction?.status,
    total: (inside?.balanceMinor ?? 0n) + (inside?.heldMinor ?? 0n),
    out: of(systemAccountId("clearing", currency, connection.id))?.balanceMinor ?? 0n,
  };
}

describe("of an order that was accepted", () => {
  it.each(CASES)("$kind: the report $status, once and twice", ({ kind, status }) => {
    const { rows, input } = told(kind, status);
    const isConflict = CONFLICTS.includes(status);
    expect(standing(rows, kind)).toEqual({ ...TABLE[kind]?.[COLUMN[status]], isConflict });

    const tables = TABLES.map((table) => rowsOf(table, ...rows.all(table)));
    const again = worldFor({ command: recordRailCallback, input, platformId: PLATFORM, tables });
    recordRailCallback.decide(again, input);
    expect([again.entries, again.events, again.jobs, again.cancelledJobs]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    const changed = [...again.dirty.keys()].map(({ name }) => name);
    expect(changed.filter((name) => name !== railConnections.name)).toEqual([]);
  });
});

describe("of an order that has settled", () => {
  const contradicting: readonly ReportStatus[] = [
    "declined",
    "cancelled",
    "not-received",
    "conflict",
  ];
  const cases = (Object.keys(TABLE) as OrderKind[]).flatMap((kind) =>
    reportStatuses
      .filter((status) => status !== "returned")
      .map((status) => ({ kind, status, isConflict: contradicting.includes(status) })),
  );

  it.each(cases)("$kind: the report $status moves no money", ({ kind, status, isConflict }) => {
    const before = new DecidedRows(PLATFORM, rowsOfOrder(kind, { isSettled: true }));
    const { rows } = told(kind, status, true);
    expect(standing(rows, kind)).toEqual({ ...standing(before, kind), isConflict });
    expect(rows.all(ledgerAccounts)).toEqual(before.all(ledgerAccounts));
    expect(rows.all(transactions)).toEqual(before.all(transactions));
    expect(rows.all(quotes)).toEqual(before.all(quotes));
  });
});

describe("what else a report does", () => {
  const transactionIn = (rows: DecidedRows, id: string) =>
    rows.all(transactions).find((each) => each.id === id);

  it.each([
    ["accepted", 0n, SENT],
    ["settled", SENT, 0n],
    ["declined", 0n, 0n],
    ["returned", 0n, 0n],
  ] as const)(
    "a refund that is %s counts at its payment",
    (status, refundedMinor, refundPendingMinor) => {
      const original = transactionIn(told("a refund", status).rows, ORIGINAL);
      expect(original && refundCounts(original)).toEqual({ refundedMinor, refundPendingMinor });
    },
  );

  it.each([
    ["a transfer", "declined", "ACCOUNT_INVALID"],
    ["a transfer", "returned", "PAYOUT_RETURNED"],
    ["a collection", "declined", "ACCOUNT_INVALID"],
    ["a collection", "returned", "COLLECTION_FAILED"],
    ["a quote", "declined", "ACCOUNT_INVALID"],
    ["a quote", "returned", "PAYOUT_RETURNED"],
    ["a collection for a quote", "declined", "ACCOUNT_INVALID"],
  ] as const)("%s that is %s has failed by %s", (kind, status, reason) => {
    const failed = transactionIn(told(kind, status).rows, quoteTransaction.id);
    expect(failed?.failureReason).toBe(reason);
  });

  it("a quote that ends is counted in no position any more", () => {
    for (const status of ["settled", "declined", "returned"] as const) {
      const committed = told("a quote", status).rows.all(fxPositions);
      expect(committed.map(({ committedMinor }) => committedMinor)).toEqual([0n, 0n]);
    }
  });

  it("a collection that settles funds its quote, and begins the payout of all of it", () => {
    const { rows } = told("a collection for a quote", "settled");
    const funded = rows.all(quotes).find(({ id }) => id === quote.id);
    expect(funded).toMatchObject({ status: "PROCESSING", fundedAt: DECIDED_AT });
    const paidIn = rows.all(ledgerAccounts).find(({ kind }) => kind === "paid-in");
    expect(paidIn?.balanceMinor).toBe(SENT);
    expect(rows.all(ledgerAccounts).find(({ id }) => id === EUROS.id)?.balanceMinor).toBe(0n);
  });

  it("money that could not be given back is an item again", () => {
    const { rows } = told("money back", "declined");
    const [item] = rows.all(railItems).filter(({ state }) => state === "OPEN");
    expect(item).toMatchObject({ reason: "RETURN_DECLINED", amountMinor: SENT });
    const suspense = rows.all(ledgerAccounts).find(({ kind }) => kind === "suspense");
    expect(suspense?.balanceMinor).toBe(SENT);
  });
});
