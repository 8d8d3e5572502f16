/** Transactions are added to the search index at their first event. */
import type { WrittenCommit } from "../../../engine/engine.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { writtenRow } from "../written-row.ts";
import type { IndexedTerms } from "./index-rows.ts";
import { searchedTransaction } from "./searched-kinds.ts";

/** They have the time of the transaction's creation, except PENDING: the payment of an address is announced later. */
export const firstEvents: ReadonlySet<string> = new Set([
  "OUTGOING_PAYMENT.PENDING",
  "INCOMING_PAYMENT.PENDING",
  "OUTGOING_PAYMENT.COMPLETED",
  "INCOMING_PAYMENT.COMPLETED",
  "OUTGOING_PAYMENT.FAILED",
  "INCOMING_PAYMENT.FAILED",
  "OUTGOING_PAYMENT.PROCESSING",
]);

/** Adds the transactions whose first events are in a commit; false when the commit does not hold the row of one. */
export function addFirst(terms: IndexedTerms, { rows, events }: WrittenCommit): boolean {
  const added = new Set<string>();
  for (const { type, subject } of events) {
    if (!firstEvents.has(type) || added.has(subject)) continue;
    const written = writtenRow(rows, transactions, subject);
    if (written === undefined) return false;
    if (written.before !== undefined && !type.endsWith(".PENDING")) continue;
    added.add(subject);
    terms.add(searchedTransaction, written.row);
  }
  return true;
}
