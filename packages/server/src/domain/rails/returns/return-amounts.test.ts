/** Every kind of settled payout × what comes of it × who says that it is its return: what is given back, to the unit, and where the rest is. */
import { describe, expect, it } from "vitest";
import {
  AVAILABLE,
  ORIGINAL,
  type OrderKind,
  orderOf,
  rowsOfOrder,
} from "../../../../test/kit/carried-orders.ts";
import { DECIDED_AT } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { internal, PLATFORM, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import { connection } from "../../../../test/kit/rail-rows.ts";
import { ledgerAccounts, systemAccountId } from "../../../ledger/chart.ts";
import { present } from "../../../std/assert.ts";
import { refundCounts } from "../../payments/transactions/incoming-refund.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { railEntries, type ToldEntry } from "../entries/rail-entry.ts";
import { railItems } from "../entries/rail-item.ts";
import type { ToldByCallback } from "../orders/rail-callbacks.port.ts";
import { endToEndIdOf, railPayments } from "../orders/rail-payment.ts";
import type { RailReport } from "../orders/rail-report.ts";
import { recordRailCallback } from "../orders/record-rail-callback.ts";

const KINDS = [
  "a transfer",
  "a refund",
  "a quote within a currency",
  "a quote",
] as const satisfies readonly OrderKind[];
type Payout = (typeof KINDS)[number];

/** Nine tenths of the amount, rounded up, is the least that is a return. */
const least = (amount: bigint) => (amount * 9n + 9n) / 10n;
const AMOUNTS: Readonly<Record<string, (amount: bigint) => bigint>> = {
  "one unit": () => 1n,
  half: (amount) => amount / 2n,
  "a unit less than 90 %": (amount) => least(amount) - 1n,
  "90 %": least,
  "a unit less than all": (amount) => amount - 1n,
  all: (amount) => amount,
  "a unit more": (amount) => amount + 1n,
};
const VOICES = ["an entry of the rail", "a report of the rail", "the text of a payer"] as const;
type Voice = (typeof VOICES)[number];

const CASES = KINDS.flatMap((kind) =>
  Object.entries(AMOUNTS).flatMap(([much, of]) =>
    VOICES.map((voice) => ({ kind, much, of, voice })),
  ),
);

/** The rate has moved to 1.4 dollars a euro; what rounding leaves over stays with the platform. */
const worthNow = (kind: Payout, came: bigint) => (kind === "a quote" ? (came * 7n) / 5n : came);

function tell(
  rows: DecidedRows,
  { kind, came, voice }: { kind: Payout; came: bigint; voice: Voice },
) {
  const { id, currency } = orderOf(kind, true);
  const isNamed = voice !== "the text of a payer";
  const entry: ToldEntry = {
    ...{ bankReference: "L-1", direction: "CREDIT", currency, amountMinor: came },
    ...{ bookedOn: "2026-11-21", bookedAt: null, valueDate: null, payer: null },
    ...{
      virtualAccount: null,
      references: [],
      instructionId: undefined,
      invoiceId: null,
      feeOf: null,
      returnOf: undefined,
    },
    reference: isNamed ? null : endToEndIdOf(id),
    remittance: null,
    paymentId: isNamed ? id : undefined,
  };
  const report: RailReport = {
    ...{ status: "returned", scheme: "CONNECTOR", amountMinor: came, settledOn: undefined },
    ...{ code: undefined, text: undefined, reference: undefined },
  };
  const actor = { kind: "worker", id: "callbacks" } as const;
  const run = (told: ToldByCallback) =>
    rows.run(recordRailCallback, { connectionId: connection.id, told }, { actor, at: DECIDED_AT });
  if (voice === "a report of the rail") run({ kind: "payment", paymentId: id, report });
  expect(run({ kind: "entry", entry })).toBe("taken");
}

function standing(rows: DecidedRows, currency: string) {
  const accounts = rows.all(ledgerAccounts);
  const balanceOf = (id: string) => accounts.find((each) => each.id === id)?.balanceMinor ?? 0n;
  const account = accounts.find(({ id }) => id === internal.id);
  const ofBank = (kind: "clearing" | "own-funds" | "suspense") =>
    balanceOf(systemAccountId(kind, currency, connection.id));
  const transaction = rows.all(transactions).find(({ id }) => id === quoteTransaction.id);
  const original = rows.all(transactions).find(({ id }) => id === ORIGINAL);
  return {
    order: present(rows.all(railPayments)[0], "the order"),
    transaction: present(transaction, "the transaction"),
    refunded: refundCounts(present(original, "the original")).refundedMinor,
    entry: rows.all(railEntries).find(({ bankReference }) => bankReference === "L-1"),
    item: rows.all(railItems).find(({ state }) => state === "OPEN"),
    total: (account?.balanceMinor ?? 0n) + (account?.heldMinor ?? 0n),
    ownFunds: ofBank("own-funds"),
    suspense: ofBank("suspense"),
    clearing: ofBank("clearing"),
    fx: [balanceOf(systemAccountId("fx", "USD")), balanceOf(systemAccountId("fx", "EUR"))] as const,
  };
}

describe("of a settled payout comes", () => {
  it.each(CASES)("$kind: $much, by $voice", ({ kind, of, voice }) => {
    const { amountMinor: amount, currency, id } = orderOf(kind, true);
    const came = of(amount);
    const rows = new DecidedRows(PLATFORM, rowsOfOrder(kind, { isSettled: true, rate: "1.40" }));
    const before = standing(rows, currency);
    tell(rows, { kind, came, voice });
    const after = standing(rows, currency);

    const isTold = voice !== "the text of a payer";
    const isReturn = isTold && came >= least(amount) && came <= amount;
    const back = isReturn ? worthNow(kind, came) : 0n;
    const isExchange = kind === "a quote";
    const short = isReturn && !kind.startsWith("a quote") ? amount - came : 0n;
    expect(after.total).toBe(AVAILABLE + back);
    expect([after.order.state, after.order.isConflict]).toEqual(
      isReturn ? ["RETURNED", false] : ["SETTLED", isTold],
    );
    expect(after.order.returnedMinor).toBe(isReturn ? came : null);
    expect(after.transaction.status).toBe(isReturn ? "FAILED" : "COMPLETED");
    // A job in the house ends the refund of a quote, whose money is held until then.
    const refunded = kind.startsWith("a quote") ? "PENDING" : "COMPLETED";
    const { refund } = after.transaction;
    expect(refund?.status).toBe(isReturn ? refunded : undefined);
    expect(refund?.returned?.cameMinor).toBe(isReturn ? String(came) : undefined);
    expect(refund?.returned?.refundMinor).toBe(isReturn ? String(back) : undefined);
    expect(after.entry?.bookedAs).toBe(isReturn ? "RETURN" : "SUSPENSE");
    expect([after.item?.reason, after.item?.suggestedPaymentId]).toEqual(
      isReturn
        ? [short > 0n ? "SHORT_RETURN" : undefined, short > 0n ? null : undefined]
        : [isTold ? "AMOUNT_DIFFERS" : "UNREFERENCED", id],
    );
    expect(after.ownFunds).toBe(-short);
    expect(after.suspense).toBe(isReturn ? short : came);
    expect(after.clearing - before.clearing).toBe(-came);
    const moved = isReturn && isExchange ? [-back, came] : [0n, 0n];
    expect(after.fx.map((minor, index) => minor - (before.fx[index] ?? 0n))).toEqual(moved);
    expect(after.refunded - before.refunded).toBe(isReturn && kind === "a refund" ? -came : 0n);
  });
});
