/**
 * The chart of accounts. Each internal account has a ledger account of the same id, which is guarded: its balance never goes
 * below zero. System accounts exist once per kind and currency and are created at their first posting:
 *
 *   rail-clearing    money that left or entered through a rail
 *   in-flight        money held for pending payments; each entry names the account that it is held for
 *   paid-in          money received from outside for pending payments
 *   sandbox-funding  the source of sandbox money
 *   uma-clearing     money received from or returned to other UMA institutions
 *   uma-transit      the part of uma-clearing that is on its way to an external account
 *   fx, fees, rounding   the contra accounts of conversions, fees and rounding differences
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
  /** The balance of a guarded account must not be negative. `applyPosting` and a table constraint hold this. */
  readonly guarded: boolean;
  readonly balanceMinor: bigint;
  /** Money of this account that is held in `in-flight`. */
  readonly heldMinor: bigint;
  /** The number of entries of this account; the sequence has no gaps. */
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

/** Derived from kind and currency, so it is the same on every platform. */
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

export function newSystemAccount(
  kind: SystemAccountKind,
  currency: string,
  at: number,
): LedgerAccount {
  return emptyAccount({ id: systemAccountId(kind, currency), kind, currency, guarded: false, at });
}

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
