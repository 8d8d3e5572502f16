/** The pool of virtual accounts of a connection: numbers that all lead to its account, each given to one payee for ever. */
import type { JsonObject } from "../../../std/json.ts";
import { defineTable, fixed, mutable } from "../../../tables/tables.ts";

export interface VirtualAccount {
  readonly id: string;
  readonly connectionId: string;
  /** See `numberOf`. */
  readonly number: string;
  /** The funding address that has it; null while it is free. */
  readonly addressId: string | null;
  readonly createdAt: number;
}

export const virtualAccounts = defineTable<VirtualAccount>("virtual_accounts", {
  id: fixed("uuid"),
  connectionId: fixed("uuid"),
  number: fixed("text"),
  addressId: mutable("uuid"),
  createdAt: fixed("time"),
});

export const MOST_VIRTUAL_ACCOUNTS_AT_ONCE = 10_000;

/** An IBAN, or a routing number and an account number with a slash between. Blanks and hyphens make no difference. */
export function numberOf(
  account: string | { readonly routingNumber: string; readonly accountNumber: string },
): string {
  return typeof account === "string"
    ? plainNumber(account)
    : `${account.routingNumber}/${plainNumber(account.accountNumber)}`;
}

/** The number as it is told in an entry. */
export function plainNumber(text: string): string {
  return text.replace(/[\s-]/g, "").toUpperCase();
}

/** The members of the account that payers are shown. */
export function membersOf(number: string): JsonObject {
  const [first = "", accountNumber] = number.split("/");
  return accountNumber === undefined ? { iban: first } : { routingNumber: first, accountNumber };
}
