/** A note of a person about a customer. It is never changed and never deleted, and it is in no event. */

import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { defineTable, fixed, type RowOf } from "../../../tables/tables.ts";
import { customers } from "../customer.ts";

const columns = {
  id: fixed("uuid"),
  customerId: fixed("uuid"),
  authorId: fixed("uuid"),
  /** The author's name at the time of the note. */
  authorName: fixed("text"),
  note: fixed("text"),
  createdAt: fixed("time"),
};

export interface CustomerNote extends RowOf<typeof columns> {}

export const customerNotes = defineTable<CustomerNote>("customer_notes", columns, {
  isFinal: () => true,
});

type AddCustomerNoteInput = Pick<CustomerNote, "customerId" | "authorId" | "authorName" | "note">;

/** Adds a note. A deleted customer can get notes too, because questions may come after the deletion. Refuses an unknown customer. */
export const addCustomerNote: Command<AddCustomerNoteInput, CustomerNote> = {
  name: "add-customer-note",
  needs: (_world, { customerId }) => [customers.ref(customerId)],
  decide(world, input) {
    if (world.find(customers.ref(input.customerId)) === undefined)
      throw new Refusal("USER_NOT_FOUND");
    return world.put(customerNotes, { id: world.newId(), ...input, createdAt: world.at });
  },
};
