/** What an entry does to the order that it names: by whom it is named, which way the money went, and where the order stands. */
import { describe, expect, it } from "vitest";
import { rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  external,
  internal,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import type { Batch } from "../../../engine/batch.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { endToEndIdOf, type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { recordRailCallback } from "../orders/record-rail-callback.ts";
import { type RailEntry, railEntries, type ToldEntry } from "./rail-entry.ts";
import { type RailItem, railItems } from "./rail-item.ts";

const AMOUNT = queuedOrder.amountMinor;
const NAME = endToEndIdOf(queuedOrder.id);

const line: ToldEntry = {
  bankReference: "L-1",
  direction: "CREDIT",
  currency: "USD",
  amountMinor: AMOUNT,
  bookedOn: "2026-11-21",
  bookedAt: null,
  valueDate: null,
  reference: null,
  remittance: null,
  payer: null,
  virtualAccount: null,
  references: [],
  instructionId: undefined,
  invoiceId: null,
  feeOf: null,
  paymentId: undefined,
  returnOf: undefined,
};

/** Named by the rail itself, and by what a payer may write. */
const NAMED = {
  rail: { paymentId: queuedOrder.id },
  reference: { reference: NAME },
  text: { remittance: `invoice ${NAME.toLowerCase()}` },
} as const;

const STATUS = { QUEUED: "PENDING", SENT: "PROCESSING" } as const;

function written<Row>(world: Batch, name: string): readonly Row[] {
  const rows = [...world.dirty].find(([table]) => table.name === name)?.[1].values() ?? [];
  return [...rows].map(({ row }) => row as unknown as Row);
}

function told(change: Partial<ToldEntry>, payment: Partial<RailPayment>) {
  const order: RailPayment = { ...queuedOrder, settledOn: "2026-11-20", ...payment };
  const isOut = order.direction === "OUT";
  const status =
    order.state === "SETTLED" ? "COMPLETED" : isOut ? STATUS[order.state as "SENT"] : "PENDING";
  const transaction: Transaction = {
    ...{ ...quoteTransaction, quoteId: null, status, sentMinor: AMOUNT, sentCurrency: "USD" },
    ...{ type: isOut ? "OUTGOING" : "INCOMING", sourceAccountId: internal.id },
    ...{ destinationAccountId: internal.id, receivedMinor: AMOUNT, receivedCurrency: "USD" },
    details: null,
  };
  const ofConnection = (kind: "clearing" | "suspense" | "own-funds") =>
    newSystemAccount({ system: kind, currency: "USD", connectionId: connection.id }, 1);
  const heldMinor = isOut && order.state !== "SETTLED" ? AMOUNT : 0n;
  const inFlight = newSystemAccount({ system: "in-flight", currency: "USD" }, 1);
  const account = newInternalLedgerAccount(internal.id, "USD", 1);
  const input = {
    connectionId: connection.id,
    told: { kind: "entry", entry: { ...line, ...change } },
  } as const;
  const tables = [
    rowsOf(platforms, platform),
    rowsOf(railConnections, connection),
    rowsOf(railPayments, order),
    rowsOf(transactions, transaction),
    rowsOf(internalAccounts, { ...internal, customerId: null }),
    rowsOf(externalAccounts, external),
    rowsOf(
      ledgerAccounts,
      { ...account, balanceMinor: AMOUNT, heldMinor },
      { ...inFlight, balanceMinor: heldMinor },
      ...(["clearing", "suspense", "own-funds"] as const).map(ofConnection),
    ),
  ];
  const world = worldFor({ command: recordRailCallback, input, platformId: PLATFORM, tables });
  recordRailCallback.decide(world, input);
  const [entry] = written<RailEntry>(world, railEntries.name);
  const [item] = written<RailItem>(world, railItems.name);
  const after = world.get(railPayments.ref(order.id));
  return {
    bookedAs: entry?.bookedAs,
    item: item?.reason,
    suggested: item?.suggestedPaymentId,
    names: entry?.paymentId,
    state: after.state,
    isConflict: after.isConflict,
  };
}

describe.each(["reference", "text"] as const)("an order that a %s names", (by) => {
  it.each([
    ["OUT", "SETTLED", "CREDIT"],
    ["OUT", "SENT", "CREDIT"],
    ["PULL", "SENT", "CREDIT"],
    ["PULL", "QUEUED", "CREDIT"],
    ["PULL", "SETTLED", "DEBIT"],
    ["BACK", "SETTLED", "CREDIT"],
  ] as const)("of the direction %s, %s, stays as it is by a %s", (direction, state, way) => {
    for (const amountMinor of [1n, AMOUNT, AMOUNT + 1n]) {
      const change = { ...NAMED[by], direction: way, amountMinor };
      expect(told(change, { direction, state })).toEqual({
        bookedAs: "SUSPENSE",
        item: "UNREFERENCED",
        suggested: queuedOrder.id,
        names: null,
        state,
        isConflict: false,
      });
    }
  });
});

describe("an order that the rail names", () => {
  it.each([
    ["OUT", "SETTLED", "CREDIT", "RETURN", "RETURNED"],
    ["OUT", "SENT", "DEBIT", "PAYMENT", "SETTLED"],
    ["PULL", "SENT", "CREDIT", "PAYMENT", "SETTLED"],
  ] as const)("of the direction %s, %s, is booked by a %s", (direction, state, way, as, after) => {
    const done = told({ ...NAMED.rail, direction: way }, { direction, state });
    expect(done).toMatchObject({ bookedAs: as, names: queuedOrder.id, state: after });
  });

  it("is suggested by the item of a return that is not taken", () => {
    const short = { ...NAMED.rail, amountMinor: 1n };
    expect(told(short, { state: "SETTLED" })).toEqual({
      bookedAs: "SUSPENSE",
      item: "AMOUNT_DIFFERS",
      suggested: queuedOrder.id,
      names: queuedOrder.id,
      state: "SETTLED",
      isConflict: true,
    });
  });
});

describe("an order of which a return was told and not taken", () => {
  const lastReport = { status: "returned", scheme: "CONNECTOR", at: "", source: "ENTRY" } as const;
  const waiting = { state: "SETTLED", isConflict: true, lastReport } as const;

  it("waits for a person, whatever the rail tells after that", () => {
    expect(told(NAMED.rail, waiting)).toMatchObject({
      bookedAs: "SUSPENSE",
      item: "CONTRADICTS_ORDER",
      suggested: queuedOrder.id,
      state: "SETTLED",
      isConflict: true,
    });
    const decided = { ...waiting, isConflict: false };
    expect(told(NAMED.rail, decided)).toMatchObject({ bookedAs: "RETURN", state: "RETURNED" });
  });
});

describe("the reference of an order", () => {
  it("settles a payout by the debit that carries it, because we gave it to the bank", () => {
    const paid = { ...NAMED.reference, direction: "DEBIT" } as const;
    expect(told(paid, { state: "SENT" })).toMatchObject({ bookedAs: "PAYMENT", state: "SETTLED" });
    const text = { ...NAMED.text, direction: "DEBIT" } as const;
    expect(told(text, { state: "SENT" })).toMatchObject({ bookedAs: "SUSPENSE", state: "SENT" });
  });

  it("ties the line of what a report said before, and moves the order no more", () => {
    const returned = { state: "RETURNED", returnedMinor: AMOUNT } as const;
    expect(told(NAMED.reference, returned)).toMatchObject({
      bookedAs: "RETURN",
      isConflict: false,
    });
    const collected = { direction: "PULL", state: "SETTLED" } as const;
    expect(told(NAMED.reference, collected)).toMatchObject({ bookedAs: "PAYMENT" });
  });

  it("of another connection or currency suggests nothing", () => {
    const elsewhere = {
      connectionId: "018f0000-0000-7000-8000-0000000000ff",
      state: "SETTLED",
    } as const;
    expect(told(NAMED.reference, elsewhere)).toMatchObject({ suggested: null });
    expect(told(NAMED.text, { currency: "EUR", state: "SETTLED" })).toMatchObject({
      suggested: null,
    });
  });
});
