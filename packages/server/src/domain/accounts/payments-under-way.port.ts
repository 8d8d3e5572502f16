/** What accounts need from payments: an account with a payment under way cannot be closed. */
import { definePort } from "../../engine/port.ts";
import type { Children, TableRow } from "../../tables/tables.ts";

export interface PaymentsUnderWay {
  /** The transactions from and to the account that are in flight, or with a refund in flight. One between two accounts is in both. */
  ofAccount(accountId: string): readonly Children<TableRow>[];
}

export const paymentsUnderWayPort = definePort<PaymentsUnderWay>(
  "payments under way of an account",
);
