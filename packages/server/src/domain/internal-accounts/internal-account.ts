/**
 * An internal account: money the platform holds, for a customer or for itself. Its balance is the ledger account of the
 * same id; this row says what the account is.
 */
import type { LedgerAccount } from "../../ledger/chart.ts";
import { getCurrency } from "../../money/currency.ts";
import {
  defineLookup,
  defineSelection,
  defineTable,
  fixed,
  mutable,
} from "../../storage/tables.ts";

export type InternalAccountType = "INTERNAL_FIAT" | "INTERNAL_CRYPTO" | "EMBEDDED_WALLET";

/** ACTIVE is the only status from which money moves; nothing leads away from the others yet. */
export type InternalAccountStatus = "PENDING" | "ACTIVE" | "CLOSED" | "FROZEN" | "FAILED";

export interface InternalAccount {
  readonly id: string;
  /** Null for the platform's own accounts. */
  readonly customerId: string | null;
  readonly type: InternalAccountType;
  readonly status: InternalAccountStatus;
  readonly currency: string;
  /** Whether its funding instructions are made up, as those of a sandbox are. */
  readonly isSimulated: boolean;
  readonly walletAddress: string | null;
  readonly walletMnemonicSealed: string | null;
  readonly createdAt: number;
}

export const internalAccounts = defineTable<InternalAccount>("internal_accounts", {
  id: fixed("uuid"),
  customerId: fixed("uuid"),
  type: fixed("text"),
  status: mutable("text"),
  currency: fixed("text"),
  isSimulated: fixed("bool"),
  walletAddress: fixed("text"),
  walletMnemonicSealed: mutable("text"),
  createdAt: fixed("time"),
});

export const internalAccountsOfCustomer = defineLookup(internalAccounts, { by: "customerId" });

export const internalAccountsOfPlatform = defineSelection(internalAccounts, {
  name: "of-platform",
  sql: "t.customer_id is null",
  holds: ({ customerId }) => customerId === null,
});

/** The most that an account may hold: what a JSON number says exactly. */
export const MAX_BALANCE_MINOR = 9_000_000_000_000_000n;

/** An account with its balance, as the API shows it. */
export interface InternalAccountSubject {
  readonly kind: "internal-account";
  readonly id: string;
  readonly account: InternalAccount;
  readonly ledger: LedgerAccount;
}

export function toInternalAccountId(id: string): string {
  return `InternalAccount:${id}`;
}

export function internalAccountSubject(
  account: InternalAccount,
  ledger: LedgerAccount,
): InternalAccountSubject {
  return { kind: "internal-account", id: toInternalAccountId(account.id), account, ledger };
}

export function holdingTypeOf(currency: string): InternalAccountType {
  return getCurrency(currency).kind === "fiat" ? "INTERNAL_FIAT" : "INTERNAL_CRYPTO";
}
