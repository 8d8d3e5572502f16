/** A note of a person about a customer. It is never changed and never deleted, and it is in no event. */
import { defineTable, fixed } from "../../../tables/tables.ts";

export interface CustomerNote {
  readonly id: string;
  readonly customerId: string;
  readonly authorId: string;
  /** As the person was called then. */
  readonly authorName: string;
  readonly note: string;
  readonly createdAt: number;
}

export const customerNotes = defineTable<CustomerNote>(
  "customer_notes",
  {
    id: fixed("uuid"),
    customerId: fixed("uuid"),
    authorId: fixed("uuid"),
    authorName: fixed("text"),
    note: fixed("text"),
    createdAt: fixed("time"),
  },
  { isFinal: () => true },
);
