import type { Command, Loaded, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { toIso } from "../../std/clock.ts";
import { type Freeze, notFrozen, stopAwaited } from "../accounts/freezes/freeze.ts";
import {
  internalAccounts,
  internalAccountsOfCustomer,
} from "../accounts/internal/internal-account.ts";
import { ownersOfCustomer } from "./beneficial-owners/beneficial-owner.ts";
import { type Customer, customers } from "./customer.ts";
import { type CustomerSubject, customerSubject } from "./customer-subject.ts";

export interface FreezeCustomerInput {
  readonly customerId: string;
  readonly freeze: Omit<Freeze, "since">;
}

/**
 * Freezes a customer and all accounts of the customer. A freeze of a customer who is frozen replaces reason, note and scope;
 * `since` stays. Refuses, in this order: an unknown customer, a deleted one.
 */
export const freezeCustomer: Command<FreezeCustomerInput, CustomerSubject> = {
  name: "freeze-customer",
  needs: (_world, { customerId }) => customerNeeds(customerId),
  decide(world, { customerId, freeze }) {
    const customer = requireCustomer(world, customerId);
    const since = customer.frozen?.since ?? toIso(world.at);
    if (freeze.scope === "ALL") stopAwaited(world, customerId);
    return put(world, customer, { ...freeze, since });
  },
};

/** Refuses, in this order: an unknown customer, a deleted one, one who is not frozen. Freezes of single accounts stay. */
export const unfreezeCustomer: Command<{ readonly customerId: string }, CustomerSubject> = {
  name: "unfreeze-customer",
  needs: (_world, { customerId }) => customerNeeds(customerId),
  decide(world, { customerId }) {
    const customer = requireCustomer(world, customerId);
    if (customer.frozen === null) throw notFrozen("customer");
    return put(world, customer, null);
  },
};

function customerNeeds(customerId: string) {
  return [
    customers.ref(customerId),
    internalAccountsOfCustomer.of(customerId),
    ownersOfCustomer.of(customerId),
  ];
}

function requireCustomer(world: Loaded, customerId: string): Customer {
  const customer = world.find(customers.ref(customerId));
  if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
  if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
  return customer;
}

/** Writes the freeze to the customer and, as a copy, to each account. */
function put(world: World, before: Customer, freeze: Freeze | null): CustomerSubject {
  const customer = world.put(customers, { ...before, frozen: freeze, updatedAt: world.at });
  for (const account of world.all(internalAccountsOfCustomer.of(customer.id))) {
    world.put(internalAccounts, { ...account, customerFreeze: freeze });
  }
  const subject = customerSubject(customer, world.all(ownersOfCustomer.of(customer.id)));
  if (freeze === null) world.emit("CUSTOMER.UNFROZEN", subject);
  else world.emit("CUSTOMER.FROZEN", subject);
  return subject;
}
