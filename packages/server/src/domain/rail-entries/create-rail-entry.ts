import type { Command } from "../../engine/command.ts";
import { invalidFields, Refusal } from "../../engine/refusal.ts";
import { requireLiveConnection } from "../rail-connections/rail-connection.ts";
import { bookEntry, entryNeeds, findEntry } from "./book-entry.ts";
import { type RailEntry, type ToldEntry, toRailEntryId } from "./rail-entry.ts";

export interface CreateRailEntryInput {
  readonly connectionId: string;
  readonly told: ToldEntry;
}

/**
 * Books an entry that a person read at the bank. Refuses, in this order: an unknown connection, an archived one, one whose entries
 * its connector tells, a currency that it does not have, a bank reference that was used, an amount for which its books have no room.
 */
export const createRailEntry: Command<CreateRailEntryInput, RailEntry> = {
  name: "create-rail-entry",
  needs: entryNeeds,
  decide(world, input) {
    const { kind, currencies } = requireLiveConnection(world, input.connectionId, "booked to");
    if (kind !== "MANUAL") {
      const message = `The connection is of the kind ${kind}, whose connector tells its entries; only those of a MANUAL one are typed in.`;
      throw new Refusal("CONFLICT", { kind }, message);
    }
    const { currency, bankReference } = input.told;
    if (!currencies.includes(currency)) throw foreignCurrency(currencies);
    const known = findEntry(world, input);
    if (known !== undefined) {
      throw new Refusal(
        "DUPLICATE_ENTRY",
        { field: "bankReference", entryId: toRailEntryId(known.id) },
        `bankReference: the connection has an entry ${bankReference} already; an entry is booked once.`,
      );
    }
    return bookEntry(world, input, "MANUAL").entry;
  },
};

export function foreignCurrency(currencies: readonly string[]): Refusal {
  const message = `is not a currency of the connection, which has ${currencies.join(", ")}`;
  return invalidFields([{ field: "currency", message }]);
}
