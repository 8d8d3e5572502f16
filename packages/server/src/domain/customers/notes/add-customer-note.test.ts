/** A note about a customer: whom it may be about, and what is kept of it. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, named, written } from "../../../../test/kit/decided.ts";
import { customer, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { type Customer, customers } from "../customer.ts";
import { addCustomerNote, customerNotes } from "./customer-note.ts";

const note = { authorId: PLATFORM, authorName: "Ana Ruiz", note: "Called back." };
const add = (...some: readonly Customer[]) =>
  decided({
    command: addCustomerNote,
    input: { customerId: customer.id, ...note },
    platformId: PLATFORM,
    tables: [rowsOf(customers, ...some)],
  });

describe("a note about a customer", () => {
  it("who is not there is refused", () => {
    expect(named(add().refusal)).toBe("USER_NOT_FOUND");
    expect(named(add({ ...customer, id: PLATFORM }).refusal)).toBe("USER_NOT_FOUND");
  });

  it.each<[string, Partial<Customer>]>([
    ["is there", {}],
    ["was deleted", { deletedAt: 7 }],
    ["is rejected", { kycStatus: "REJECTED" }],
  ])("who %s is kept with its author and its time, and changes nothing else", (_which, more) => {
    const { output, world } = add({ ...customer, ...more });
    expect(output).toMatchObject({ customerId: customer.id, ...note, createdAt: DECIDED_AT });
    expect(written(world, customerNotes)).toEqual([output]);
    expect([world.dirty.size, world.events, world.jobs]).toEqual([1, [], []]);
  });

  it("is final: a row of it is never written again", () => {
    expect(customerNotes.columns.some((column) => column.mutable)).toBe(false);
  });
});
