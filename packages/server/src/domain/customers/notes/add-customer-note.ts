import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { customers } from "../customer.ts";
import { type CustomerNote, customerNotes } from "./customer-note.ts";

export type AddCustomerNoteInput = Pick<
  CustomerNote,
  "customerId" | "authorId" | "authorName" | "note"
>;

/** Adds a note. A deleted customer can still be noted about: questions come later. Refuses an unknown customer. */
export const addCustomerNote: Command<AddCustomerNoteInput, CustomerNote> = {
  name: "add-customer-note",
  needs: (_world, { customerId }) => [customers.ref(customerId)],
  decide(world, input) {
    if (world.find(customers.ref(input.customerId)) === undefined)
      throw new Refusal("USER_NOT_FOUND");
    return world.put(customerNotes, { id: world.newId(), ...input, createdAt: world.at });
  },
};
