import { describe, expect, it } from "vitest";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
} from "../../ledger/chart.ts";
import { defineTable, fixed, mutable } from "../../tables/tables.ts";
import { RowCache } from "./row-cache.ts";

const idOf = (index: number) => `018f0000-0000-7000-8000-${String(index).padStart(12, "0")}`;
const refOf = (index: number) => ledgerAccounts.ref(idOf(index));
const rowOf = (index: number, balanceMinor = 0n): LedgerAccount => ({
  ...newInternalLedgerAccount(idOf(index), "USD", 0),
  balanceMinor,
});

it("returns the row that was put last", () => {
  const rows = new RowCache(10);
  rows.put(ledgerAccounts, rowOf(1, 1n));
  rows.put(ledgerAccounts, rowOf(1, 2n));
  expect(rows.find(refOf(1))?.balanceMinor).toBe(2n);
  expect(rows.find(refOf(2))).toBeUndefined();
  expect(rows.size).toBe(1);
});

it("keeps rows in use and evicts the others when it has filled twice", () => {
  const rows = new RowCache(3);
  for (const index of [1, 2, 3]) rows.put(ledgerAccounts, rowOf(index));
  rows.trim();
  rows.find(refOf(1));
  for (const index of [4, 5]) rows.put(ledgerAccounts, rowOf(index));
  rows.trim();
  expect([1, 2, 3, 4, 5].map((index) => rows.find(refOf(index)) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});

it("keeps the rows of a used table while another one fills", () => {
  const rows = new RowCache(10);
  const payments = defineTable("payments", { id: fixed("uuid") });
  for (const index of [1, 2, 3]) rows.put(ledgerAccounts, rowOf(index));
  for (let index = 0; index < 100; index++) {
    rows.put(payments, { id: idOf(index) });
    rows.trim();
    expect(rows.size).toBeLessThanOrEqual(20);
  }
  expect([1, 2, 3].every((index) => rows.find(refOf(index)) !== undefined)).toBe(true);
  expect(rows.find(payments.ref(idOf(99)))).toBeDefined();
  expect(rows.find(payments.ref(idOf(1)))).toBeUndefined();
});

it("is bounded when several tables fill in turn", () => {
  const rows = new RowCache(10);
  const tables = ["a", "b", "c", "d"].map((name) => defineTable(name, { id: fixed("uuid") }));
  for (let index = 0; index < 400; index++) {
    const table = tables[Math.floor(index / 25) % tables.length];
    if (table !== undefined) rows.put(table, { id: idOf(index) });
    rows.trim();
    expect(rows.size).toBeLessThanOrEqual(20);
  }
});

it("evicts nothing before it is full", () => {
  const rows = new RowCache(3);
  for (const index of [1, 2]) rows.put(ledgerAccounts, rowOf(index));
  for (let count = 0; count < 5; count++) rows.trim();
  expect(rows.find(refOf(1))).toBeDefined();
  expect(rows.size).toBe(2);
});

it("does not return an old version of a removed row", () => {
  const rows = new RowCache(1);
  rows.put(ledgerAccounts, rowOf(1, 1n));
  rows.trim();
  rows.put(ledgerAccounts, rowOf(1, 2n));
  rows.remove(ledgerAccounts, idOf(1));
  expect(rows.find(refOf(1))).toBeUndefined();
});

it("distinguishes absent rows from unknown ones until they are put", () => {
  const rows = new RowCache(10);
  expect(rows.isAbsent(refOf(1))).toBe(false);
  rows.markAbsent(ledgerAccounts, idOf(1));
  expect(rows.isAbsent(refOf(1))).toBe(true);
  rows.put(ledgerAccounts, rowOf(1));
  expect(rows.isAbsent(refOf(1))).toBe(false);
});

it("remembers a bounded number of absent rows", () => {
  const rows = new RowCache(10);
  for (let index = 0; index < 10_000; index++) rows.markAbsent(ledgerAccounts, idOf(index));
  const remembered = Array.from({ length: 10_000 }, (_, index) => rows.isAbsent(refOf(index)));
  expect(remembered.filter(Boolean).length).toBeLessThanOrEqual(4_096);
  expect(remembered.at(-1)).toBe(true);
});

it("drops rows and absences when it is cleared", () => {
  const rows = new RowCache(10);
  rows.put(ledgerAccounts, rowOf(1));
  rows.markAbsent(ledgerAccounts, idOf(2));
  rows.clear();
  expect([rows.find(refOf(1)), rows.isAbsent(refOf(2)), rows.size]).toEqual([undefined, false, 0]);
});

it("drops rows in a final state after the batch has decided", () => {
  const ending = defineTable(
    "endings",
    { id: fixed("uuid"), isEnded: mutable("bool") },
    { isFinal: ({ isEnded }) => isEnded },
  );
  const rows = new RowCache(10);
  rows.put(ending, { id: idOf(1), isEnded: true });
  rows.put(ending, { id: idOf(2), isEnded: true });
  expect(rows.find(ending.ref(idOf(1)))).toBeDefined();
  rows.put(ending, { id: idOf(2), isEnded: false });
  rows.trim();
  expect(rows.find(ending.ref(idOf(1)))).toBeUndefined();
  expect(rows.isAbsent(ending.ref(idOf(1)))).toBe(false);
  expect(rows.find(ending.ref(idOf(2)))).toBeDefined();
  expect(rows.size).toBe(1);
});

describe("prefetched rows", () => {
  const fetched = (rows: RowCache, ...found: readonly LedgerAccount[]) =>
    rows
      .openFetch([refOf(1), refOf(2)])
      .receiveRows(ledgerAccounts, [idOf(1), idOf(2)], [...found]);

  it("are cached, and the others are known to be absent", () => {
    const rows = new RowCache(10);
    fetched(rows, rowOf(1, 7n));
    expect(rows.find(refOf(1))?.balanceMinor).toBe(7n);
    expect([rows.isAbsent(refOf(1)), rows.isAbsent(refOf(2))]).toEqual([false, true]);
  });

  it("are not cached when they were put since, also if they were evicted again", () => {
    const rows = new RowCache(10);
    const fetch = rows.openFetch([refOf(1), refOf(2)]);
    rows.put(ledgerAccounts, rowOf(1, 8n));
    rows.put(ledgerAccounts, rowOf(2, 8n));
    rows.remove(ledgerAccounts, idOf(2));
    fetch.receiveRows(ledgerAccounts, [idOf(1), idOf(2)], [rowOf(1, 7n), rowOf(2, 7n)]);
    expect(rows.find(refOf(1))?.balanceMinor).toBe(8n);
    expect([rows.find(refOf(2)), rows.isAbsent(refOf(2))]).toEqual([undefined, false]);
  });

  it("are not cached after the cache was cleared, unless they are fetched again", () => {
    const rows = new RowCache(10);
    const early = rows.openFetch([refOf(1)]);
    rows.clear();
    early.receiveRows(ledgerAccounts, [idOf(1)], [rowOf(1, 7n)]);
    expect(rows.find(refOf(1))).toBeUndefined();
    const late = rows.openFetch([refOf(1)]);
    early.receiveRows(ledgerAccounts, [idOf(1)], [rowOf(1, 7n)]);
    expect(rows.find(refOf(1))).toBeUndefined();
    late.receiveRows(ledgerAccounts, [idOf(1)], [rowOf(1, 9n)]);
    expect(rows.find(refOf(1))?.balanceMinor).toBe(9n);
  });

  it("are not cached after their fetch was abandoned; a later fetch continues", () => {
    const rows = new RowCache(10);
    const early = rows.openFetch([refOf(1), refOf(2)]);
    const late = rows.openFetch([refOf(2)]);
    early.abandon();
    early.receiveRows(ledgerAccounts, [idOf(1), idOf(2)], [rowOf(1, 7n), rowOf(2, 7n)]);
    expect([rows.find(refOf(1)), rows.isAbsent(refOf(1)), rows.size]).toEqual([
      undefined,
      false,
      0,
    ]);
    late.receiveRows(ledgerAccounts, [idOf(2)], [rowOf(2, 9n)]);
    expect(rows.find(refOf(2))?.balanceMinor).toBe(9n);
  });
});
