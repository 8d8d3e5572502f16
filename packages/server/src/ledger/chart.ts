/**
 * The chart of accounts. Every internal account is a ledger account of the same id, guarded: it never goes below zero.
 * Beside them stand system accounts, one of each kind and currency, made when first used:
 *
 *   rail-clearing    money that left through a rail or came in through one
 *   in-flight        held for payments under way; each entry says for which account
 *   paid-in          came in from outside for payments under way
 *   sandbox-funding  where sandbox money comes from
 *   uma-clearing     money that came in from other UMA institutions or went back to them
 *   uma-transit      of that, what is on its way to an account outside
 *   fx, fees, rounding   the other side of conversions, fees and dust
 */
import { sha256Hex } from "../std/digest.ts";
import { defineTable, fixed, mutable, type Ref } from "../tables/tables.ts";

export type SystemAccountKind =
  | "rail-clearing"
  | "in-flight"
  | "paid-in"
  | "sandbox-funding"
  | "uma-clearing"
  | "uma-transit"
  | "fx"
  | "fees"
  | "rounding";

export interface LedgerAccount {
  readonly id: string;
  readonly kind: "internal" | SystemAccountKind;
  readonly currency: string;
  /** A guarded account is refused a balance below zero, here and by a constraint of the table. */
  readonly guarded: boolean;
  readonly balanceMinor: bigint;
  /** What of this account's money is in flight. */
  readonly heldMinor: bigint;
  /** Counts this account's entries, without gaps. */
  readonly version: bigint;
  readonly updatedAt: number;
}

export const ledgerAccounts = defineTable<LedgerAccount>("ledger_accounts", {
  id: fixed("uuid"),
  kind: fixed("text"),
  currency: fixed("text"),
  guarded: fixed("bool"),
  balanceMinor: mutable("int8"),
  heldMinor: mutable("int8"),
  version: mutable("int8"),
  updatedAt: mutable("time"),
});

const systemAccountIds = new Map<string, string>();

/** The same id on every platform: it is derived from what the account is for. */
export function systemAccountId(kind: SystemAccountKind, currency: string): string {
  const label = `${kind} ${currency}`;
  const known = systemAccountIds.get(label);
  if (known !== undefined) return known;
  const hex = sha256Hex(`florin system account ${label}`);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  systemAccountIds.set(label, id);
  return id;
}

export function systemAccount(kind: SystemAccountKind, currency: string): Ref<LedgerAccount> {
  return ledgerAccounts.ref(systemAccountId(kind, currency));
}

/** A system account as it is before its first entry. */
export function newSystemAccount(
  kind: SystemAccountKind,
  currency: string,
  at: number,
): LedgerAccount {
  return emptyAccount({ id: systemAccountId(kind, currency), kind, currency, guarded: false, at });
}

/** The ledger side of a new internal account. */
export function newInternalLedgerAccount(id: string, currency: string, at: number): LedgerAccount {
  return emptyAccount({ id, kind: "internal", currency, guarded: true, at });
}

function emptyAccount(
  facts: Pick<LedgerAccount, "id" | "kind" | "currency" | "guarded"> & { readonly at: number },
): LedgerAccount {
  const { id, kind, currency, guarded, at } = facts;
  return {
    id,
    kind,
    currency,
    guarded,
    balanceMinor: 0n,
    heldMinor: 0n,
    version: 0n,
    updatedAt: at,
  };
}
