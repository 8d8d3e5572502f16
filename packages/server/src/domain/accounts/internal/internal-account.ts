/**
 * An internal account: money the platform holds, for a customer or for itself. Its balance is in the ledger account of the same id; this
 * row has its other attributes.
 */
import type { World } from "../../../engine/command.ts";
import { type LedgerAccount, ledgerAccounts } from "../../../ledger/chart.ts";
import { getCurrency } from "../../../money/currency.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  countedBy,
  currencyFacet,
  ownerFacet,
  standingFacet,
  typeFacet,
} from "../../../tables/facets.ts";
import {
  defineLookup,
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import { type AlertSubject, alertsAt, type BalanceAlert } from "../alerts/balance-alert.ts";
import type { Freeze } from "../freezes/freeze.ts";

export const internalAccountTypes = [
  "INTERNAL_FIAT",
  "INTERNAL_CRYPTO",
  "EMBEDDED_WALLET",
] as const;

export type InternalAccountType = (typeof internalAccountTypes)[number];

/** Only an ACTIVE account can send and take money. It becomes CLOSED; no transition leaves any other status yet. */
export const internalAccountStatuses = ["PENDING", "ACTIVE", "CLOSED", "FROZEN", "FAILED"] as const;

export type InternalAccountStatus = (typeof internalAccountStatuses)[number];

/** A type, not an interface: an interface is not assignable to a JSON type. */
export type AdditionalAccount = {
  /** Funding instructions were asked for. */
  readonly isFundable: boolean;
};

const columns = {
  id: fixed("uuid"),
  /** Null for the platform's own accounts. */
  customerId: fixed<string | null>("uuid"),
  type: fixed<InternalAccountType>("text"),
  status: mutable<InternalAccountStatus>("text"),
  currency: fixed("text"),
  /** Whether its funding instructions are simulated, as in a sandbox. */
  isSimulated: fixed("bool"),
  walletAddress: fixed<string | null>("text"),
  walletMnemonicSealed: mutable<string | null>("text"),
  /** The account's own freeze. */
  frozen: mutable<Freeze | null>("json"),
  /** A copy of the freeze of its customer. */
  customerFreeze: mutable<Freeze | null>("json"),
  /** Null when the account has none. */
  alerts: mutable<readonly BalanceAlert[] | null>("json"),
  createdAt: fixed("time"),
  /** Set on an account that was opened beside the default one of its holder and currency; null on a default account. */
  additional: mutable<AdditionalAccount | null>("json"),
  name: mutable<string | null>("text"),
  metadata: mutable<Metadata | null>("json"),
  /** The last change of the name, the metadata or the status; null before the first one. */
  changedAt: mutable<number | null>("time"),
};

export interface InternalAccount extends RowOf<typeof columns> {}

export const internalAccounts = defineTable<InternalAccount>("internal_accounts", columns, {
  metadataOf: ({ metadata }) => metadata,
  counted: countedBy<InternalAccount>(ownerFacet, currencyFacet, typeFacet, standingFacet),
});

export const internalAccountsOfCustomer = defineLookup(internalAccounts, { by: "customerId" });

/** Without the additional accounts, of which a platform may have thousands. */
export const defaultAccountsOfPlatform = defineSelection(internalAccounts, {
  name: "of-platform",
  sql: "t.customer_id is null and t.additional is null",
  holds: (account) => account.customerId === null && isDefaultAccount(account),
});

/** A default account takes the payments that name a holder and a currency but no account. */
export function isDefaultAccount({ additional }: Pick<InternalAccount, "additional">): boolean {
  return additional === null;
}

/**
 * The active default accounts in a currency, oldest first. A self-custodial wallet is not among them: the platform does not move its money.
 */
export function defaultAccountsIn(
  accounts: readonly InternalAccount[],
  currency: string,
): readonly InternalAccount[] {
  return accounts
    .filter(
      (account) =>
        account.currency === currency &&
        isDefaultAccount(account) &&
        account.type !== "EMBEDDED_WALLET" &&
        account.status === "ACTIVE",
    )
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

/** The largest balance of an account: the largest amount that a JSON number holds exactly. */
const MAX_BALANCE_MINOR = MAX_AMOUNT_MINOR;

/** Whether a credit keeps the account within its largest balance. Held money counts, because it can be released again. */
export function hasRoomFor({ balanceMinor, heldMinor }: LedgerAccount, minor: bigint): boolean {
  return balanceMinor + heldMinor + minor <= MAX_BALANCE_MINOR;
}

/** An account with its balance, as the API shows it. */
export interface InternalAccountSubject {
  readonly kind: "InternalAccount";
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
  return { kind: "InternalAccount", id: toInternalAccountId(account.id), account, ledger };
}

/** Writes the event with an account's balance, and one for each alert whose amount the balance has passed. */
export function emitBalance(world: World, accountId: string): void {
  const account = world.get(internalAccounts.ref(accountId));
  const ledger = world.get(ledgerAccounts.ref(accountId));
  world.emit("INTERNAL_ACCOUNT.BALANCE_UPDATED", internalAccountSubject(account, ledger));
  if (account.alerts !== null) emitAlerts(world, account, { alerts: account.alerts, ledger });
}

function emitAlerts(
  world: World,
  account: InternalAccount,
  { alerts, ledger }: { readonly alerts: readonly BalanceAlert[]; readonly ledger: LedgerAccount },
): void {
  const now = alertsAt(alerts, ledger.balanceMinor);
  if (now === undefined) return;
  world.put(internalAccounts, { ...account, alerts: now.alerts });
  const { id: accountId, currency } = account;
  const { balanceMinor } = ledger;
  for (const alert of now.crossed) {
    const id = toInternalAccountId(accountId);
    const subject: AlertSubject = {
      kind: "AlertedBalance",
      id,
      accountId,
      alert,
      balanceMinor,
      currency,
    };
    world.emit("INTERNAL_ACCOUNT.ALERT", subject);
  }
}

export function holdingTypeOf(currency: string): InternalAccountType {
  return getCurrency(currency).kind === "fiat" ? "INTERNAL_FIAT" : "INTERNAL_CRYPTO";
}
