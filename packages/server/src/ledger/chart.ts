/**
 * The chart of accounts. Each internal account has a ledger account of the same id, which is guarded: its balance never goes
 * below zero. System accounts exist once per kind and currency and are created at their first posting:
 *
 *   rail-clearing    money that left or entered through the simulated rail
 *   in-flight        money held for pending payments; each entry names the account that it is held for
 *   paid-in          money received from outside for pending payments
 *   sandbox-funding  the source of sandbox money
 *   uma-clearing     money received from or returned to other UMA institutions
 *   uma-transit      the part of uma-clearing that is on its way to an external account
 *   receivables      what holders owe because collected payments were taken back; minus its balance is what they owe
 *   adjustments      the contra account of corrections that people have agreed to
 *   fx, fees, rounding   the contra accounts of conversions, fees and rounding differences
 *
 * Some exist once per kind, currency and rail connection:
 *
 *   clearing         money that left or entered through the connection; minus its balance is the money there by these books
 *   suspense         money of entries whose purpose is unknown; negative when more went out than came in
 *   own-funds        the platform's own money at the connection: the opening balance, charges, interest, top-ups
 */
import { sha256Hex } from "../std/digest.ts";
import { defineTable, fixed, mutable, type Ref, type RowOf } from "../tables/tables.ts";

export type SystemAccountKind =
  | "rail-clearing"
  | "in-flight"
  | "paid-in"
  | "sandbox-funding"
  | "uma-clearing"
  | "uma-transit"
  | "receivables"
  | "adjustments"
  | "fx"
  | "fees"
  | "rounding"
  | ConnectionAccountKind;

/** Kinds of which each rail connection has its own. */
export const connectionAccountKinds = ["clearing", "suspense", "own-funds"] as const;
export type ConnectionAccountKind = (typeof connectionAccountKinds)[number];

/** Identifies a system account. `connectionId` is set for the kinds in `connectionAccountKinds`. */
export interface SystemAccountName {
  readonly system: SystemAccountKind;
  readonly currency: string;
  readonly connectionId?: string | undefined;
}

const columns = {
  id: fixed("uuid"),
  kind: fixed<"internal" | SystemAccountKind>("text"),
  currency: fixed("text"),
  /** The rail connection that the account belongs to. */
  connectionId: fixed<string | null>("uuid"),
  /** The balance of a guarded account must not be negative. `applyPosting` and a table constraint enforce this. */
  guarded: fixed("bool"),
  balanceMinor: mutable("int8"),
  /** Money of this account that is held in `in-flight`. */
  heldMinor: mutable("int8"),
  /** The number of entries of this account, which is the version of its latest entry; versions have no gaps. */
  version: mutable("int8"),
  updatedAt: mutable("time"),
};

export interface LedgerAccount extends RowOf<typeof columns> {}

export const ledgerAccounts = defineTable<LedgerAccount>("ledger_accounts", columns);

const systemAccountIds = new Map<string, string>();

/** Derived from kind, currency and connection. Without a connection, the id is the same on every platform. */
export function systemAccountId(
  kind: SystemAccountKind,
  currency: string,
  connectionId?: string,
): string {
  if (connectionId !== undefined) return derivedId(`${kind} ${currency} ${connectionId}`);
  const label = `${kind} ${currency}`;
  const known = systemAccountIds.get(label);
  if (known !== undefined) return known;
  const id = derivedId(label);
  systemAccountIds.set(label, id);
  return id;
}

function derivedId(label: string): string {
  const hex = sha256Hex(`florin system account ${label}`);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function systemAccount(
  kind: SystemAccountKind,
  currency: string,
  connectionId?: string,
): Ref<LedgerAccount> {
  return ledgerAccounts.ref(systemAccountId(kind, currency, connectionId));
}

export function accountNamed({
  system,
  currency,
  connectionId,
}: SystemAccountName): Ref<LedgerAccount> {
  return systemAccount(system, currency, connectionId);
}

export function newSystemAccount(
  { system, currency, connectionId }: SystemAccountName,
  at: number,
): LedgerAccount {
  return {
    id: systemAccountId(system, currency, connectionId),
    kind: system,
    currency,
    connectionId: connectionId ?? null,
    guarded: false,
    balanceMinor: 0n,
    heldMinor: 0n,
    version: 0n,
    updatedAt: at,
  };
}

export function newInternalLedgerAccount(id: string, currency: string, at: number): LedgerAccount {
  return {
    id,
    kind: "internal",
    currency,
    connectionId: null,
    guarded: true,
    balanceMinor: 0n,
    heldMinor: 0n,
    version: 0n,
    updatedAt: at,
  };
}
