/** Lets the customer domain load unfinished payments without importing the payment domain, which depends on it. */
import { definePort } from "../../engine/port.ts";
import type { Children, TableRow } from "../../tables/tables.ts";

export interface OpenPayments {
  /** The transactions in flight, or with a refund in flight. */
  ofCustomer(customerId: string): Children<TableRow>;
}

export const openPaymentsPort = definePort<OpenPayments>("open payments of a customer");
