import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { isConnectionCurrency } from "../../../money/currency.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { railRoutings } from "../routes/routing.ts";
import { bookEntry, entryNeeds } from "./book-entry.ts";
import type { ToldEntry } from "./rail-entry.ts";

/** The most entries that one commit books. */
export const ENTRIES_AT_ONCE = 100;

export interface RecordInvoiceEntriesInput {
  readonly connectionId: string;
  readonly entries: readonly ToldEntry[];
}

/**
 * Books the money that a connector has told for an invoice, when it was asked about it. Entries that were told before are left alone, so it
 * may be repeated. Answers whether all of them are booked: one that is not keeps its invoice from being closed.
 */
export const recordInvoiceEntries: Command<RecordInvoiceEntriesInput, boolean> = {
  name: "record-uma-invoice-entries",
  isLarge: true,
  needs: (world, { connectionId, entries }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...entries
      .filter(({ currency }) => isConnectionCurrency(currency))
      .flatMap((told) => entryNeeds(world, { connectionId, told })),
  ],
  decide(world, { connectionId, entries }) {
    const booked = entries.map((told) => {
      if (!isConnectionCurrency(told.currency)) return false;
      // A refusal undoes what this entry has booked, and nothing else.
      const taken = world.attempt(() => bookEntry(world, { connectionId, told }, "FEED"));
      return !(taken instanceof Refusal) && taken.kind !== "different";
    });
    return booked.every((isBooked) => isBooked);
  },
};
