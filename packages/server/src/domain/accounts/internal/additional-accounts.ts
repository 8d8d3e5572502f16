/**
 * Accounts that a platform opens beside the default ones, for itself or for a customer. Payments name them by their ids: a payment that
 * names a holder and a currency alone goes to the default account.
 */
import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { type LedgerAccount, ledgerAccounts } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Metadata } from "../../metadata.ts";
import { platforms, supportedCurrency } from "../../platform.ts";
import { holdersPort } from "../holders.port.ts";
import { paymentsUnderWayPort } from "../payments-under-way.port.ts";
import {
  type InternalAccount,
  type InternalAccountSubject,
  internalAccountSubject,
  internalAccounts,
  internalAccountsOfCustomer,
  isDefaultAccount,
} from "./internal-account.ts";
import { openAccount } from "./open-account.ts";

/** Closed accounts count: their rows stay, and a freeze of a customer loads all of them. */
export const MOST_OF_CUSTOMER = 100;
export const MOST_OF_PLATFORM = 10_000;

export interface OpenAdditionalAccountInput {
  readonly name: string;
  readonly currency: string;
  /** Undefined for an account of the platform itself. */
  readonly customerId: string | undefined;
  readonly metadata: Metadata | null;
  /** The number of the platform's own additional accounts, counted before the command: calls at the same time may pass the limit by a few. */
  readonly platformHas: number;
}

/**
 * Opens an account beside the default one. Refuses, in this order: an unknown customer, a deleted one; a currency that the platform does
 * not support; one that the customer does not have; an account beyond the limit.
 */
export const openAdditionalAccount: Command<OpenAdditionalAccountInput, InternalAccountSubject> = {
  name: "open-additional-account",
  needs: (world, { customerId }) => [
    platforms.ref(world.platformId),
    ...(customerId === undefined
      ? []
      : [...world.port(holdersPort).needs(customerId), internalAccountsOfCustomer.of(customerId)]),
  ],
  decide(world, { name, currency, customerId, metadata, platformHas }) {
    const holders = world.port(holdersPort);
    if (customerId !== undefined) holders.refuseUnknown(world, customerId);
    const holder = customerId === undefined ? undefined : holders.standingOf(world, customerId);
    const platform = world.get(platforms.ref(world.platformId));
    if (supportedCurrency(platform, currency) === undefined) {
      throw noCurrency(currency, `The platform does not support ${currency}.`);
    }
    if (holder?.currencies.includes(currency) === false) {
      const message = `The customer has no account in ${currency}; add the currency to the customer first.`;
      throw noCurrency(currency, message);
    }
    refuseTooMany(world, customerId, platformHas);
    const account = openAccount(world, {
      customerId: customerId ?? null,
      currency,
      customerFreeze: holder?.freeze ?? null,
      additional: { name, metadata },
    });
    return subjectOf(world, account);
  },
};

export interface ChangeAccountInput {
  readonly accountId: string;
  readonly name: string | undefined;
  /** Replaces what is there; undefined: it stays. */
  readonly metadata: Metadata | null | undefined;
}

/**
 * Changes the name of an additional account, or the metadata of any. Refuses, in this order: an unknown account; a closed one; a name for a
 * default account.
 */
export const changeAccount: Command<ChangeAccountInput, InternalAccountSubject> = {
  name: "change-internal-account",
  needs: (_world, { accountId }) => accountNeeds(accountId),
  decide(world, { accountId, name, metadata }) {
    const account = requireOpen(world, accountId, "changed");
    if (name !== undefined && isDefaultAccount(account)) throw isDefault("named");
    return change(world, account, {
      name: name ?? account.name,
      metadata: metadata === undefined ? account.metadata : metadata,
    });
  },
};

/** Asks for funding instructions of an additional account; a default one has them anyway. Refuses, in this order: an unknown account, a closed one. */
export const askForFunding: Command<{ readonly accountId: string }, InternalAccountSubject> = {
  name: "ask-for-funding-instructions",
  needs: (_world, { accountId }) => accountNeeds(accountId),
  decide(world, { accountId }) {
    const account = requireOpen(world, accountId, "funded");
    if (account.additional?.isFundable !== false) return subjectOf(world, account);
    return change(world, account, { additional: { isFundable: true } });
  },
};

/**
 * Closes an additional account, which stays readable. Refuses, in this order: an unknown account; a closed one; a default account; one
 * with money, or with payments under way.
 */
export const closeAccount: Command<{ readonly accountId: string }, InternalAccountSubject> = {
  name: "close-internal-account",
  needs: (world, { accountId }) => [
    ...accountNeeds(accountId),
    ...world.port(paymentsUnderWayPort).ofAccount(accountId),
  ],
  decide(world, { accountId }) {
    const account = requireOpen(world, accountId, "closed");
    if (isDefaultAccount(account)) throw isDefault("closed");
    const rows = world
      .port(paymentsUnderWayPort)
      .ofAccount(accountId)
      .flatMap((children) => world.all(children));
    refuseUnlessEmpty(account, {
      ledger: world.get(ledgerAccounts.ref(accountId)),
      payments: new Set(rows.map(({ id }) => id)).size,
    });
    return change(world, account, { status: "CLOSED" });
  },
};

function isDefault(action: string): Refusal {
  const message = `The account is the default one of its holder and currency, which cannot be ${action}.`;
  return new Refusal("CONFLICT", { isDefault: true }, message);
}

interface Left {
  readonly ledger: LedgerAccount;
  readonly payments: number;
}

/** Names everything that is left at once, so that one look tells what to do. */
function refuseUnlessEmpty({ currency }: InternalAccount, { ledger, payments }: Left): void {
  const { balanceMinor, heldMinor } = ledger;
  const parts = [
    balanceMinor === 0n ? undefined : `a balance of ${balanceMinor}`,
    heldMinor === 0n ? undefined : `${heldMinor} held`,
    payments === 0 ? undefined : paymentsUnderWay(payments),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return;
  throw new Refusal(
    "CONFLICT",
    { balance: Number(balanceMinor), held: Number(heldMinor), payments, currency },
    `The account has ${parts.join(" and ")}; it can be closed when nothing is left. Amounts are in the smallest unit of ${currency}.`,
  );
}

function paymentsUnderWay(count: number): string {
  return count === 1 ? "1 payment under way" : `${count} payments under way`;
}

/** The refusal of an account with so many payments under way that they are not loaded. */
export function tooManyUnderWay(than: number): Refusal {
  const message = `The account has more than ${than} payments under way; it can be closed when nothing is left.`;
  return new Refusal("CONFLICT", { payments: than + 1 }, message);
}

function refuseTooMany(world: Loaded, customerId: string | undefined, platformHas: number): void {
  const [has, most] =
    customerId === undefined
      ? [platformHas, MOST_OF_PLATFORM]
      : [additionalOf(world, customerId), MOST_OF_CUSTOMER];
  if (has < most) return;
  const whose = customerId === undefined ? "platform" : "customer";
  const message = `The ${whose} has ${most} accounts beside the default ones, closed ones included, which is the most.`;
  throw new Refusal("CONFLICT", { most }, message);
}

function additionalOf(world: Loaded, customerId: string): number {
  const accounts = world.all(internalAccountsOfCustomer.of(customerId));
  return accounts.filter((account) => !isDefaultAccount(account)).length;
}

function noCurrency(currency: string, message: string): Refusal {
  return new Refusal("INVALID_CURRENCY", { field: "currency", currency }, message);
}

function accountNeeds(accountId: string): readonly AnyRef[] {
  return [internalAccounts.ref(accountId), ledgerAccounts.ref(accountId)];
}

function requireOpen(world: Loaded, accountId: string, action: string): InternalAccount {
  const account = world.find(internalAccounts.ref(accountId));
  if (account === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const { status } = account;
  if (status === "CLOSED") {
    throw wrongState({ object: "account", status, needed: "ACTIVE", action });
  }
  return account;
}

function change(
  world: World,
  account: InternalAccount,
  changes: Partial<Pick<InternalAccount, "additional" | "name" | "metadata" | "status">>,
): InternalAccountSubject {
  const changed = world.put(internalAccounts, { ...account, ...changes, changedAt: world.at });
  return subjectOf(world, changed);
}

function subjectOf(world: World, account: InternalAccount): InternalAccountSubject {
  return internalAccountSubject(account, world.get(ledgerAccounts.ref(account.id)));
}
