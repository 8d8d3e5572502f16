/** Payments that have not ended. An account with such a payment cannot be closed; for the deletion of a customer see `uma/incoming/open-payments.ts`. */
import { defineLookup } from "../../../tables/tables.ts";
import type { PaymentsUnderWay } from "../../accounts/payments-under-way.port.ts";
import { type Transaction, transactions } from "./transaction.ts";

/** Transactions in flight, or with a refund in flight. */
export const inFlight = {
  sql: "(t.status in ('CREATED', 'PENDING', 'PROCESSING') or t.refund ->> 'status' = 'PENDING')",
  holds: ({ status, refund }: Transaction) =>
    status === "CREATED" ||
    status === "PENDING" ||
    status === "PROCESSING" ||
    refund?.status === "PENDING",
};

export const openTransactionsOfCustomer = defineLookup(transactions, {
  by: "customerId",
  where: inFlight,
});

const openTransactionsFrom = defineLookup(transactions, { by: "sourceAccountId", where: inFlight });
const openTransactionsTo = defineLookup(transactions, {
  by: "destinationAccountId",
  where: inFlight,
});

/**
 * The command loads every transaction of the customer, or of the account, that is in flight. One with more than this is refused before
 * the command, because loading 100,000 rows takes half a second of the thread.
 */
export const MOST_IN_FLIGHT_LOADED = 1_000;

export const paymentsUnderWay: PaymentsUnderWay = {
  ofAccount: (accountId) => [openTransactionsFrom.of(accountId), openTransactionsTo.of(accountId)],
};
