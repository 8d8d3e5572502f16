/** A note of a person about a customer. It is never changed and never deleted, and it is in no event. */
import { defineTable, fixed, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  customerId: fixed("uuid"),
  authorId: fixed("uuid"),
  /** As the person was called then. */
  authorName: fixed("text"),
  note: fixed("text"),
  createdAt: fixed("time"),
};

export interface CustomerNote extends RowOf<typeof columns> {}

export const customerNotes = defineTable<CustomerNote>("customer_notes", columns, {
  isFinal: () => true,
});
