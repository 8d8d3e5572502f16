import type { Command, Loaded } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { ledgerAccounts } from "../../ledger/chart.ts";
import { type AnyRef, defineLookup } from "../../tables/tables.ts";
import { internalAccountsOfCustomer } from "../accounts/internal/internal-account.ts";
import type { CustomerSubject } from "../events/subjects.ts";
import { type Transaction, transactions } from "../payments/transactions/transaction.ts";
import { ownersOfCustomer } from "./beneficial-owners/beneficial-owner.ts";
import { customers } from "./customer.ts";
import { customerSubject } from "./customer-subject.ts";

/** Transactions in flight, or with a refund in flight. */
export const inFlight = {
  sql: "(t.status in ('CREATED', 'PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING')",
  holds: ({ status, refund }: Transaction) =>
    status === "CREATED" ||
    status === "PENDING" ||
    status === "PROCESSING" ||
    refund?.status === "PENDING",
};

const openTransactionsOfCustomer = defineLookup(transactions, {
  by: "customerId",
  where: inFlight,
});

/**
 * The command loads every transaction of the customer that is in flight. A customer with more than this is refused before
 * the command, because loading 100,000 rows takes half a second of the thread.
 */
export const MOST_IN_FLIGHT_LOADED = 1_000;

export function paymentInFlight(): Refusal {
  return new Refusal(
    "CONFLICT",
    { reason: "a payment is in flight" },
    "A payment of the customer is in flight; delete the customer when it has ended.",
  );
}

/**
 * Deletes a customer. Its data stays readable, and its pending invitations count as cancelled. Refuses, in this order: an
 * unknown customer, a deleted one, a customer whose accounts hold money or have a payment in flight.
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
    if (world.all(openTransactionsOfCustomer.of(customerId)).length > 0) {
      throw paymentInFlight();
    }
    const deleted = world.put(customers, {
      ...customer,
      updatedAt: world.at,
      deletedAt: world.at,
    });
    return customerSubject(deleted, world.all(ownersOfCustomer.of(customerId)));
  },
};

function deletionNeeds(world: Loaded, customerId: string): readonly AnyRef[] {
  const accounts = world.all(internalAccountsOfCustomer.of(customerId));
  return [
    customers.ref(customerId),
    internalAccountsOfCustomer.of(customerId),
    openTransactionsOfCustomer.of(customerId),
    ownersOfCustomer.of(customerId),
    ...accounts.map((account) => ledgerAccounts.ref(account.id)),
  ];
}
