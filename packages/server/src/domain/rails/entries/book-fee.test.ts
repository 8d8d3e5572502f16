/** Charges of orders: the ceilings, what each entry books, and what random charges leave, told any number of times. */
import { describe, expect, it } from "vitest";
import { chanceFrom } from "../../../../test/kit/chance.ts";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { DecidedRows } from "../../../../test/kit/decided-rows.ts";
import { PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import { connection, queuedOrder } from "../../../../test/kit/rail-rows.ts";
import { accountNamed, ledgerAccounts, type SystemAccountKind } from "../../../ledger/chart.ts";
import { platforms } from "../../platform.ts";
import { type RailConnection, railConnections } from "../connections/rail-connection.ts";
import { endToEndIdOf, type RailPayment, railPayments } from "../orders/rail-payment.ts";
import { recordRailCallback } from "../orders/record-rail-callback.ts";
import { railRoutings } from "../routes/routing.ts";
import { feeCeilingOf } from "./book-fee.ts";
import { railEntries, type ToldEntry } from "./rail-entry.ts";
import { railItems } from "./rail-item.ts";

const AS = { actor: { kind: "worker", id: "rail" }, at: DECIDED_AT } as const;
const idOf = (last: string) => `018f0000-0000-7000-8000-0000000000${last}`;
const ELSEWHERE = idOf("f1");

const order: RailPayment = {
  ...queuedOrder,
  state: "SENT",
  amountMinor: 100_000n,
  settledOn: null,
};
const euros: RailPayment = { ...order, id: idOf("e2"), currency: "EUR" };
const others: RailPayment = { ...order, id: idOf("e3"), connectionId: ELSEWHERE };

function told(change: Partial<ToldEntry> = {}): ToldEntry {
  return {
    bankReference: "F-1",
    direction: "DEBIT",
    currency: "USD",
    amountMinor: 1_000n,
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
    feeOf: order.id,
    paymentId: undefined,
    returnOf: undefined,
    ...change,
  };
}

function rowsWith(settings: RailConnection["settings"] = {}) {
  const bank = { ...connection, currencies: ["USD", "EUR"], settings };
  return new DecidedRows(PLATFORM, [
    rowsOf(platforms, platform),
    rowsOf(railConnections, bank, { ...bank, id: ELSEWHERE, name: "Other" }),
    rowsOf(railPayments, order, euros, others),
    rowsOf(railRoutings, { id: PLATFORM, routes: [], connections: [] }),
    rowsOf(ledgerAccounts),
  ]);
}

function take(rows: DecidedRows, entry: ToldEntry) {
  const input = { connectionId: connection.id, told: { kind: "entry", entry } } as const;
  return rows.run(recordRailCallback, input, AS);
}

function stateOf(rows: DecidedRows) {
  const accounts = rows.all(ledgerAccounts);
  const of = (system: SystemAccountKind) => {
    const { id } = accountNamed({ system, currency: "USD", connectionId: connection.id });
    return accounts.find((account) => account.id === id)?.balanceMinor ?? 0n;
  };
  return {
    booked: rows.all(railEntries).map(({ bookedAs }) => bookedAs),
    items: rows.all(railItems).map(({ reason, amountMinor }) => `${reason} ${amountMinor}`),
    clearing: of("clearing"),
    suspense: of("suspense"),
    ownFunds: of("own-funds"),
  };
}

describe("the ceiling of charges", () => {
  it.each<
    readonly [
      settings: RailConnection["settings"],
      currency: string,
      amount: bigint,
      ceiling: bigint,
    ]
  >([
    [{}, "USD", 100_000n, 1_000n],
    [{}, "USD", 99_999n, 999n],
    [{}, "USD", 99n, 0n],
    [{}, "MSAT", 1_000n, 10_000n],
    [{}, "MSAT", 1_000_000n, 10_000n],
    [{}, "MSAT", 1_000_100n, 10_001n],
    [{ feeCeilingBps: 0 }, "USD", 100_000n, 0n],
    [{ feeCeilingBps: 10_000 }, "USD", 100_000n, 100_000n],
    [{ feeCeilingMinor: { USD: 50 } }, "USD", 100n, 50n],
    [{ feeCeilingMinor: { USD: 50 } }, "USD", 100_000n, 1_000n],
    [{ feeCeilingMinor: { USD: 50 } }, "EUR", 100n, 1n],
    [{ feeCeilingMinor: { MSAT: 0 }, feeCeilingBps: 0 }, "MSAT", 9_999_999n, 0n],
    [{ feeCeilingMinor: {} }, "MSAT", 1n, 10_000n],
    [{}, "USD", 9_007_199_254_740_993n, 90_071_992_547_409n],
  ])("by %o, in %s, of %s is %s", (settings, currency, amountMinor, ceiling) => {
    expect(feeCeilingOf(settings, { currency, amountMinor })).toBe(ceiling);
  });
});

describe("a charge", () => {
  it("up to the ceiling is paid by own funds, and leaves the order as it is", () => {
    const rows = rowsWith();
    // The bank may repeat the reference of the order in its charge.
    const entry = told({ reference: endToEndIdOf(order.id), paymentId: order.id });
    expect(take(rows, entry)).toBe("taken");
    expect(stateOf(rows)).toEqual({
      booked: ["FEE"],
      items: [],
      clearing: 1_000n,
      suspense: 0n,
      ownFunds: -1_000n,
    });
    const [stored] = rows.all(railEntries);
    expect(stored).toMatchObject({ feeOf: order.id, paymentId: null, transactionId: null });
    expect(rows.all(railPayments).find(({ id }) => id === order.id)).toEqual(order);
  });

  it.each<readonly [what: string, change: Partial<ToldEntry>, reason: string]>([
    ["above the ceiling", { amountMinor: 1_001n }, "FEE_ABOVE_CEILING 1001"],
    ["of an unknown order", { feeOf: idOf("ff") }, "UNREFERENCED 1000"],
    ["of an order of another connection", { feeOf: others.id }, "UNREFERENCED 1000"],
    ["of an order in another currency", { feeOf: euros.id }, "UNREFERENCED 1000"],
  ])("%s waits for a person", (_what, change, item) => {
    const rows = rowsWith();
    take(rows, told({ ...change, reference: endToEndIdOf(order.id) }));
    expect(stateOf(rows)).toEqual({
      booked: ["SUSPENSE"],
      items: [item],
      clearing: change.amountMinor ?? 1_000n,
      suspense: -(change.amountMinor ?? 1_000n),
      ownFunds: 0n,
    });
    expect(rows.all(railPayments).find(({ id }) => id === order.id)).toEqual(order);
  });

  it("in a currency that the connection does not have waits for a person", () => {
    const rows = rowsWith();
    take(rows, told({ currency: "GBP" }));
    expect(stateOf(rows)).toMatchObject({ booked: ["SUSPENSE"], items: ["CURRENCY 1000"] });
  });

  it("that comes back is no charge, and no return of the order", () => {
    const rows = rowsWith();
    take(rows, told());
    take(rows, told({ bankReference: "F-2", direction: "CREDIT", returnOf: "F-1" }));
    expect(stateOf(rows)).toEqual({
      booked: ["FEE", "SUSPENSE"],
      items: ["UNREFERENCED 1000"],
      clearing: 0n,
      suspense: 1_000n,
      ownFunds: -1_000n,
    });
    expect(rows.all(railPayments).find(({ id }) => id === order.id)).toEqual(order);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    "moves clearing by its amount once, whatever else was told: history %i",
    (seed) => {
      const chance = chanceFrom(20_261_129 + seed);
      const settings = { feeCeilingBps: chance(300), feeCeilingMinor: { USD: chance(2_000) } };
      const rows = rowsWith(settings);
      const ceiling = feeCeilingOf(settings, order);
      const entries = Array.from({ length: 12 }, (_, index) =>
        told({
          bankReference: `F-${index}`,
          amountMinor: BigInt(1 + chance(3_000)),
          direction: chance(4) === 0 ? "CREDIT" : "DEBIT",
          feeOf: [order.id, order.id, others.id, idOf("ff"), null][chance(5)] ?? null,
        }),
      );
      for (const entry of [...entries, ...entries.filter(() => chance(2) === 0)]) take(rows, entry);
      const sum = (of: readonly ToldEntry[]) =>
        of.reduce((total, { direction, amountMinor }) => {
          return direction === "CREDIT" ? total + amountMinor : total - amountMinor;
        }, 0n);
      const charges = entries.filter(
        ({ direction, feeOf, amountMinor }) =>
          direction === "DEBIT" && feeOf === order.id && amountMinor <= ceiling,
      );
      const { clearing, suspense, ownFunds, items, booked } = stateOf(rows);
      expect(clearing).toBe(-sum(entries));
      expect(ownFunds).toBe(sum(charges));
      expect(suspense).toBe(sum(entries) - sum(charges));
      expect(booked).toHaveLength(entries.length);
      expect(items).toHaveLength(entries.length - charges.length);
    },
  );
});
