import Type from "typebox";
import { toCustomerId } from "../../domain/customers/customer.ts";
import type { CustomerNote } from "../../domain/customers/notes/customer-note.ts";
import { toPersonId } from "../../domain/people/person.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

export const CustomerNoteSchema = Type.Object(
  {
    id: Type.String({ description: "`CustomerNote:<uuid>`" }),
    customerId: Type.String(),
    author: Type.Object({
      id: Type.String({ description: "`Person:<uuid>`" }),
      name: Type.String({ description: "As the person was called then." }),
    }),
    note: Type.String(),
    createdAt: DateTimeSchema,
  },
  { $id: "CustomerNote" },
);

export function customerNoteJson(note: CustomerNote): string {
  return JSON.stringify({
    id: toWireId("CustomerNote", note.id),
    customerId: toCustomerId(note.customerId),
    author: { id: toPersonId(note.authorId), name: note.authorName },
    note: note.note,
    createdAt: toIso(note.createdAt),
  });
}

export const customerNoteExample = {
  id: "CustomerNote:019a4f00-0000-7000-8000-000000000031",
  customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
  author: { id: "Person:019a4f00-0000-7000-8000-000000000020", name: "Ada Lovelace" },
  note: "Called about the second account.",
  createdAt: "2026-11-21T09:00:00.000Z",
};
