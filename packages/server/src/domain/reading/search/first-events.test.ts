/** A transaction is taken into the index once: with its creation, or when it is announced. */
import { expect, it } from "vitest";
import { quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import type { WrittenCommit } from "../../../engine/engine.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { addFirst } from "./first-events.ts";
import { IndexedTerms } from "./index-rows.ts";

const row = { ...quoteTransaction, reference: "INV-7" };

function indexed(types: readonly string[], isNew: boolean, rows = [row]): unknown {
  const written = new Map(
    rows.map((each) => [each.id, { row: each, before: isNew ? undefined : row }]),
  );
  const event = { seq: 1n, id: row.id, commandSeq: 1n, at: row.createdAt, body: "{}" };
  const commit: WrittenCommit = {
    platformId: row.id,
    rows: new Map([[transactions as unknown as Table<TableRow>, written]]),
    events: types.map((type) => ({ ...event, type, subject: `Transaction:${row.id}` })),
    after: 0n,
    upTo: BigInt(types.length),
  };
  const terms = new IndexedTerms();
  if (!addFirst(terms, commit)) return "to be read";
  const found = terms.rows(1n).find(({ term }) => term === "inv-7");
  return found === undefined ? 0 : found.ids.length / 16;
}

it.each<readonly [readonly string[], boolean, number]>([
  [["OUTGOING_PAYMENT.PENDING"], true, 1],
  [["OUTGOING_PAYMENT.PENDING", "OUTGOING_PAYMENT.PROCESSING"], true, 1],
  [["INCOMING_PAYMENT.COMPLETED"], true, 1],
  [["OUTGOING_PAYMENT.COMPLETED"], false, 0],
  [["INCOMING_PAYMENT.PENDING"], false, 1],
  [["OUTGOING_PAYMENT.REFUND_PENDING"], false, 0],
  [["INTERNAL_ACCOUNT.BALANCE_UPDATED"], true, 0],
])("%j of a transaction that is new: %s, adds %d", (types, isNew, count) => {
  expect(indexed(types, isNew)).toBe(count);
});

it("is to be read when the commit did not write its row", () => {
  expect(indexed(["OUTGOING_PAYMENT.PENDING"], true, [])).toBe("to be read");
});
