/** Which open payments of a customer hinder the deletion of the customer. */
import type { Loaded } from "../../../engine/command.ts";
import type { OpenPayments } from "../../customers/open-payments.port.ts";
import { openTransactionsOfCustomer } from "../../payments/transactions/open-payments.ts";
import type { Transaction } from "../../payments/transactions/transaction.ts";
import { umaInvoices } from "./uma-invoice.ts";

/** An invoice has its text, or is waiting for it: the job that stops invoices ends it, or that of a WANTED one does. */
export const openPayments: OpenPayments = {
  needs(world, customerId) {
    const open = openTransactionsOfCustomer.of(customerId);
    const invoices = world.all(open).filter(mayWait);
    return [open, ...invoices.map(({ id }) => umaInvoices.ref(id))];
  },
  stateOf(world, customerId) {
    const open = world.all(openTransactionsOfCustomer.of(customerId));
    if (open.length === 0) return "NONE";
    return open.every((payment) => isAwaited(world, payment)) ? "AWAITED" : "UNDER_WAY";
  },
};

function mayWait({ type, status }: Transaction): boolean {
  return type === "INCOMING" && status === "PENDING";
}

/** The platform was asked about an ASKED one and may still answer, so it is under way. */
function isAwaited(world: Loaded, payment: Transaction): boolean {
  if (!mayWait(payment)) return false;
  const state = world.find(umaInvoices.ref(payment.id))?.state;
  return state === "WANTED" || state === "OPEN";
}
