import type { CustomerNote } from "../../domain/customers/notes/customer-note.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const author = wireObject({}, ({ of }: Kit<CustomerNote>) => ({
  id: of.id("Person", { from: "authorId", description: "`Person:<uuid>`", example: 20 }),
  name: of.text({
    from: "authorName",
    description: "As the person was called then.",
    example: "Ada Lovelace",
  }),
}));

export const wireCustomerNote = wireObject("CustomerNote", ({ of }: Kit<CustomerNote>) => ({
  id: of.id("CustomerNote", { description: "`CustomerNote:<uuid>`", example: 31 }),
  customerId: of.id("Customer", { example: 10 }),
  author: of.object(author, { from: (note) => note }),
  note: of.text({ example: "Called about the second account." }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
}));
