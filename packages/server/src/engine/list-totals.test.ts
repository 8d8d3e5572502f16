import { expect, it } from "vitest";
import { internal, quoteTransaction } from "../../test/kit/payment-rows.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../domain/accounts/internal/internal-account.ts";
import { type Transaction, transactions } from "../domain/payments/transactions/transaction.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../ledger/chart.ts";
import type { Table, TableRow } from "../tables/tables.ts";
import type { DirtyRow } from "./batch.ts";
import { totalChanges } from "./list-totals.ts";

const pending: Transaction = { ...quoteTransaction, type: "OUTGOING", status: "PENDING" };
const failed: Transaction = { ...pending, status: "FAILED" };

/** The changes of a batch that finds transactions in the first states and leaves them in the second. */
function changesOf(...found: readonly (readonly [Transaction | undefined, Transaction])[]) {
  const rows = new Map<string, DirtyRow>();
  for (const [index, [before, row]] of found.entries()) rows.set(String(index), { before, row });
  return totalChanges(new Map([[transactions, rows]]));
}

const DAY_MS = 86_400_000;
const today = Math.floor(pending.createdAt / DAY_MS);

const change = (kind: string, by: number, day = today) => ({
  list: "transactions",
  day,
  kind,
  by: BigInt(by),
});

it("adds new rows, one change per kind", () => {
  expect(changesOf([undefined, pending], [undefined, failed], [undefined, pending])).toEqual([
    change("OUTGOING PENDING", 2),
    change("OUTGOING FAILED", 1),
  ]);
});

it("moves changed rows from their old kind to their new kind", () => {
  expect(changesOf([pending, failed], [pending, failed])).toEqual([
    change("OUTGOING PENDING", -2),
    change("OUTGOING FAILED", 2),
  ]);
});

it("has no change for rows that keep their kind or cancel each other out", () => {
  expect(changesOf([pending, { ...pending, description: "x" }])).toEqual([]);
  expect(changesOf([pending, failed], [undefined, pending])).toEqual([
    change("OUTGOING FAILED", 1),
  ]);
});

it("counts a row on its day of creation, also when it changes later", () => {
  const midnight = today * DAY_MS;
  const first = { ...pending, createdAt: midnight };
  const last = { ...pending, createdAt: midnight - 1 };
  expect(changesOf([undefined, first], [undefined, last])).toEqual([
    change("OUTGOING PENDING", 1),
    change("OUTGOING PENDING", 1, today - 1),
  ]);
  const ended = { ...last, status: "FAILED", updatedAt: midnight + 5 } as const;
  expect(changesOf([last, ended])).toEqual([
    change("OUTGOING PENDING", -1, today - 1),
    change("OUTGOING FAILED", 1, today - 1),
  ]);
});

it("separates lists and ignores tables without totals", () => {
  const added = (row: TableRow) =>
    new Map<string, DirtyRow>([[row.id, { row, before: undefined }]]);
  const ofPlatform: InternalAccount = { ...internal, customerId: null };
  const dirty = new Map<Table<TableRow>, Map<string, DirtyRow>>([
    [ledgerAccounts, added(newInternalLedgerAccount(internal.id, "USD", 0))],
    [internalAccounts, added(ofPlatform)],
    [transactions, added(failed)],
  ]);
  expect(totalChanges(dirty)).toEqual([
    {
      list: "internal_accounts",
      day: expect.any(Number),
      kind: `platform ${internal.currency} ${internal.type} default`,
      by: 1n,
    },
    change("OUTGOING FAILED", 1),
  ]);
});
