/** The pool of virtual accounts of a connection: numbers that all lead to its account, each given to one payee for ever. */
import type { JsonObject } from "../../../std/json.ts";
import { defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";

const columns = {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  /** See `numberOf`. */
  number: fixed("text"),
  /** The funding address that has it; null while it is free. */
  addressId: mutable<string | null>("uuid"),
  createdAt: fixed("time"),
};

export interface VirtualAccount extends RowOf<typeof columns> {}

export const virtualAccounts = defineTable<VirtualAccount>("virtual_accounts", columns);

export const MOST_VIRTUAL_ACCOUNTS_AT_ONCE = 10_000;

/** An IBAN, or a routing number and an account number with a slash between. Blanks and hyphens make no difference. */
export function numberOf(
  account: string | { readonly routingNumber: string; readonly accountNumber: string },
): string {
  return typeof account === "string"
    ? plainNumber(account)
    : `${account.routingNumber}/${plainNumber(account.accountNumber)}`;
}

/** The number in the form that entries use. */
export function plainNumber(text: string): string {
  return text.replace(/[\s-]/g, "").toUpperCase();
}

/** The members of the account that payers are shown. */
export function membersOf(number: string): JsonObject {
  const [first = "", accountNumber] = number.split("/");
  return accountNumber === undefined ? { iban: first } : { routingNumber: first, accountNumber };
}
