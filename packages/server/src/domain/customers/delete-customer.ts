import type { Command, Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ledgerAccounts } from "../../ledger/chart.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { stopAwaited } from "../accounts/freezes/freeze.ts";
import { internalAccountsOfCustomer } from "../accounts/internal/internal-account.ts";
import { ownersOfCustomer } from "./beneficial-owners/beneficial-owner.ts";
import { customers } from "./customer.ts";
import { type CustomerSubject, customerSubject } from "./customer-subject.ts";
import { openPaymentsPort } from "./open-payments.port.ts";

export function paymentInFlight(): Refusal {
  return new Refusal(
    "CONFLICT",
    { reason: "a payment is in flight" },
    "A payment of the customer is in flight; delete the customer when it has ended.",
  );
}

/**
 * Deletes a customer. Its data stays readable, its pending invitations count as cancelled, and invoices that wait for money are cancelled by
 * a job. Refuses, in this order: an unknown customer, a deleted one, a customer whose accounts hold money, another payment in flight.
 */
export const deleteCustomer: Command<{ readonly customerId: string }, CustomerSubject> = {
  name: "delete-customer",
  needs: (world, { customerId }) => deletionNeeds(world, customerId),
  decide(world, { customerId }) {
    const customer = world.find(customers.ref(customerId));
    if (customer === undefined) throw new Refusal("USER_NOT_FOUND");
    if (customer.deletedAt !== null) throw new Refusal("CUSTOMER_DELETED");
    const holdsMoney = world.all(internalAccountsOfCustomer.of(customerId)).some((account) => {
      const ledger = world.get(ledgerAccounts.ref(account.id));
      return ledger.balanceMinor > 0n || ledger.heldMinor > 0n;
    });
    if (holdsMoney) {
      throw new Refusal(
        "CONFLICT",
        { reason: "an account holds money" },
        "An account of the customer holds money; pay it out before you delete the customer.",
      );
    }
    const open = world.port(openPaymentsPort).stateOf(world, customerId);
    if (open === "UNDER_WAY") throw paymentInFlight();
    const deleted = world.put(customers, {
      ...customer,
      updatedAt: world.at,
      deletedAt: world.at,
    });
    if (open === "AWAITED") stopAwaited(world, customerId);
    return customerSubject(deleted, world.all(ownersOfCustomer.of(customerId)));
  },
};

function deletionNeeds(world: Loaded, customerId: string): readonly AnyRef[] {
  const accounts = world.all(internalAccountsOfCustomer.of(customerId));
  return [
    customers.ref(customerId),
    internalAccountsOfCustomer.of(customerId),
    ...world.port(openPaymentsPort).needs(world, customerId),
    ownersOfCustomer.of(customerId),
    ...accounts.map((account) => ledgerAccounts.ref(account.id)),
  ];
}
