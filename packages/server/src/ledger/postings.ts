/**
 * Postings move all money. A posting has a reason and legs, which sum to zero per currency. Each leg becomes an entry with the
 * balance after it, and increments the version of its account. Pure: takes accounts, returns changed accounts and entries,
 * or the reason why the posting cannot be applied.
 */
import { assert } from "../std/assert.ts";
import { defineRecords, fixed, type RowOf } from "../tables/tables.ts";
import {
  type LedgerAccount,
  newSystemAccount,
  type SystemAccountName,
  systemAccountId,
} from "./chart.ts";

export type PostingReason =
  | "sandbox.fund"
  | "payout.hold"
  | "payout.settle"
  | "payout.release"
  | "payout.return"
  | "pull.settle"
  | "pull.arrive"
  | "pull.return"
  | "deposit.credit"
  | "rail.opening"
  | "suspense.book"
  | "suspense.assign"
  | "suspense.undo"
  | "suspense.return"
  | "own-funds.book"
  | "own-funds.fee"
  | "fx.adjust"
  | "receivable.collect"
  | "receivable.write-off"
  | "adjustment.post"
  | "book.transfer"
  | "book.refund"
  | "hold.place"
  | "hold.release"
  | "quote.hold"
  | "quote.fund"
  | "quote.convert"
  | "quote.return"
  | "quote.refund"
  | "uma.credit"
  | "uma.transit"
  | "uma.deposit"
  | "uma.return"
  | "uma.receive";

export type Leg =
  | { readonly account: string; readonly minor: bigint }
  | (SystemAccountName & {
      readonly minor: bigint;
      /** For `in-flight`: the account that the money is held for. */
      readonly heldFor?: string;
    });

export interface Posting {
  readonly reason: PostingReason;
  readonly legs: readonly Leg[];
}

const columns = {
  commandSeq: fixed("int8"),
  line: fixed("int4"),
  accountId: fixed("uuid"),
  version: fixed("int8"),
  /** The number of the posting within its command. */
  posting: fixed("int4"),
  reason: fixed<PostingReason>("text"),
  currency: fixed("text"),
  amountMinor: fixed("int8"),
  balanceAfterMinor: fixed("int8"),
  heldForAccountId: fixed<string | null>("uuid"),
  at: fixed("time"),
};

export interface StoredEntry extends RowOf<typeof columns> {}

export type Entry = Omit<StoredEntry, "commandSeq" | "line" | "at">;

export const ledgerEntries = defineRecords<StoredEntry>("ledger_entries", columns);

export interface AccountsInUse {
  find(id: string): LedgerAccount | undefined;
  put(account: LedgerAccount): void;
}

export type PostingOutcome =
  | { readonly kind: "posted"; readonly entries: readonly Entry[] }
  | PostingRefusal;

export type PostingRefusal =
  /** The balance of a guarded account would be negative. */
  | {
      readonly kind: "insufficient";
      readonly accountId: string;
      readonly currency: string;
      readonly availableMinor: bigint;
      readonly neededMinor: bigint;
    }
  /** A balance would exceed int8. This happens to system accounts first. */
  | { readonly kind: "full"; readonly currency: string };

/** The largest absolute value of a balance. */
export const INT8_MAX = 9_223_372_036_854_775_807n;

/** Applies all legs, or none when a guarded account would go below zero or a balance would exceed int8. */
export function applyPosting(
  accounts: AccountsInUse,
  posting: Posting,
  context: { readonly at: number; readonly posting: number },
): PostingOutcome {
  const legs = posting.legs.map((leg) => ({ leg, account: accountOf(accounts, leg, context.at) }));
  assertBalanced(legs);
  const violation = findViolation(legs);
  if (violation !== undefined) return violation;
  const place = { at: context.at, posting: context.posting, reason: posting.reason };
  const entries = legs.map(({ leg }) => postLeg(accounts, leg, place));
  return { kind: "posted", entries };
}

interface PlacedLeg {
  readonly leg: Leg;
  readonly account: LedgerAccount;
}

/** Checks the balance after each leg, in the order of the legs. */
function findViolation(legs: readonly PlacedLeg[]): PostingRefusal | undefined {
  const balances = new Map<string, bigint>();
  for (const { leg, account } of legs) {
    const balanceMinor = (balances.get(account.id) ?? account.balanceMinor) + leg.minor;
    if (account.guarded && balanceMinor < 0n) {
      const { id: accountId, currency, balanceMinor: availableMinor } = account;
      const neededMinor = availableMinor - balanceMinor;
      return { kind: "insufficient", accountId, currency, availableMinor, neededMinor };
    }
    if (!fitsColumn(balanceMinor)) return { kind: "full", currency: account.currency };
    balances.set(account.id, balanceMinor);
  }
  return undefined;
}

function fitsColumn(minor: bigint): boolean {
  return minor <= INT8_MAX && minor >= -INT8_MAX;
}

function accountOf(accounts: AccountsInUse, leg: Leg, at: number): LedgerAccount {
  if ("account" in leg) {
    const account = accounts.find(leg.account);
    assert(account !== undefined, `ledger account ${leg.account} is not loaded`);
    return account;
  }
  const known = accounts.find(systemAccountId(leg.system, leg.currency, leg.connectionId));
  return known ?? newSystemAccount(leg, at);
}

function postLeg(
  accounts: AccountsInUse,
  leg: Leg,
  context: { readonly at: number; readonly posting: number; readonly reason: PostingReason },
): Entry {
  const account = accountOf(accounts, leg, context.at);
  const balanceMinor = account.balanceMinor + leg.minor;
  assert(fitsColumn(balanceMinor), "I-8: a balance fits its column");
  assert(!account.guarded || balanceMinor >= 0n, "I-5: a guarded account stays at zero or above");
  const version = account.version + 1n;
  accounts.put({ ...account, balanceMinor, version, updatedAt: context.at });
  const heldFor = "heldFor" in leg ? leg.heldFor : undefined;
  if (heldFor !== undefined) hold(accounts, heldFor, { minor: leg.minor, at: context.at });
  return {
    accountId: account.id,
    version,
    posting: context.posting,
    reason: context.reason,
    currency: account.currency,
    amountMinor: leg.minor,
    balanceAfterMinor: balanceMinor,
    heldForAccountId: heldFor ?? null,
  };
}

function hold(
  accounts: AccountsInUse,
  id: string,
  change: { readonly minor: bigint; readonly at: number },
): void {
  const account = accounts.find(id);
  assert(account !== undefined, `ledger account ${id} is not loaded`);
  const heldMinor = account.heldMinor + change.minor;
  assert(heldMinor >= 0n, "I-6: no more is released than was held");
  accounts.put({ ...account, heldMinor, updatedAt: change.at });
}

function assertBalanced(legs: readonly PlacedLeg[]): void {
  assert(legs.length >= 2, "I-2: a posting has at least two legs");
  const sums = new Map<string, bigint>();
  for (const { leg, account } of legs) {
    assert(leg.minor !== 0n, "I-2: a leg moves something");
    assert(
      !("currency" in leg) || leg.currency === account.currency,
      "I-2: a leg is in its account's currency",
    );
    sums.set(account.currency, (sums.get(account.currency) ?? 0n) + leg.minor);
  }
  for (const sum of sums.values()) assert(sum === 0n, "I-2: legs sum to zero in each currency");
}
