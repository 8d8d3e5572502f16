/** Who pays and who is paid: the accounts that a quote names, found and checked to be the caller's to use. */
import type { Loaded } from "../../engine/command.ts";
import { invalidField, Refusal } from "../../engine/refusal.ts";
import { findCurrency } from "../../money/currency.ts";
import type { AnyRef } from "../../storage/tables.ts";
import { type Customer, customers } from "../customers/customer.ts";
import { ruleOf } from "../external-accounts/account-types.ts";
import {
  type ExternalAccount,
  externalAccounts,
  toExternalAccountId,
} from "../external-accounts/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
  toInternalAccountId,
} from "../internal-accounts/internal-account.ts";
import type { ReceiverFacts } from "../uma/receiver.ts";

/** An account that a request names: the kind that its id has, and the bare id. */
export type AccountName =
  | { readonly kind: "internal"; readonly id: string }
  | { readonly kind: "external"; readonly id: string };

export type SourceName =
  | (AccountName & { readonly customerId: string | undefined })
  | {
      readonly kind: "realtime";
      readonly currency: string;
      readonly customerId: string | undefined;
      readonly cryptoNetwork: string | undefined;
    };

export type DestinationName =
  | (AccountName & { readonly paymentRail: string | undefined })
  /** Looked up before, in the currency that was chosen. */
  | { readonly kind: "uma"; readonly receiver: ReceiverFacts };

export type Source =
  | { readonly kind: "internal"; readonly account: InternalAccount; readonly currency: string }
  | { readonly kind: "external"; readonly account: ExternalAccount; readonly currency: string }
  | {
      readonly kind: "realtime";
      readonly currency: string;
      readonly cryptoNetwork: string | undefined;
    };

export type Destination =
  | { readonly kind: "internal"; readonly account: InternalAccount; readonly currency: string }
  | {
      readonly kind: "external";
      readonly account: ExternalAccount;
      readonly currency: string;
      readonly paymentRail: string | undefined;
    }
  | { readonly kind: "uma"; readonly receiver: ReceiverFacts; readonly currency: string };

export interface Parties {
  readonly source: Source;
  readonly destination: Destination;
  /** Null when the platform pays for itself. */
  readonly customer: Customer | null;
}

interface Names {
  readonly source: SourceName;
  readonly destination: DestinationName;
}

export function partyNeeds(world: Loaded, { source, destination }: Names): readonly AnyRef[] {
  const refs: AnyRef[] = [];
  for (const name of [source, destination]) {
    if (name.kind === "internal") refs.push(internalAccounts.ref(name.id));
    if (name.kind === "external") refs.push(externalAccounts.ref(name.id));
  }
  const customerId = source.customerId ?? findAccount(world, source)?.customerId;
  if (customerId !== undefined && customerId !== null) refs.push(customers.ref(customerId));
  return refs;
}

/** The account of a side as far as it is loaded; undefined where there is none. */
export function findAccount(
  world: Loaded,
  name: SourceName | DestinationName,
): InternalAccount | ExternalAccount | undefined {
  if (name.kind === "internal") return world.find(internalAccounts.ref(name.id));
  return name.kind === "external" ? liveExternal(world, name.id) : undefined;
}

/**
 * Refuses, in this order: an unknown source, a source that is not active, an external one that cannot be pulled from, an
 * unknown or other customer, an unknown destination, one that is not active, one of another customer, one and the same
 * account on both sides.
 */
export function partiesOf(world: Loaded, names: Names): Parties {
  const source = sourceOf(world, names.source);
  const customer = customerOf(world, names.source, source);
  const destination = destinationOf(world, names.destination);
  if (destination.kind !== "uma") {
    const { customerId, id } = destination.account;
    if (customerId !== null && customerId !== (customer?.id ?? null)) {
      throw invalidField("destination.accountId", "belongs to another customer");
    }
    if (source.kind !== "realtime" && source.account.id === id) throw new Refusal("SELF_PAYMENT");
  } else {
    const { home } = destination.receiver;
    if (home.kind === "customer" && home.customerId === customer?.id) {
      throw new Refusal("SELF_PAYMENT");
    }
  }
  return { source, destination, customer };
}

function sourceOf(world: Loaded, name: SourceName): Source {
  if (name.kind === "realtime") {
    const { currency, cryptoNetwork } = name;
    if (findCurrency(currency) === undefined) throw new Refusal("INVALID_CURRENCY", { currency });
    return { kind: "realtime", currency, cryptoNetwork };
  }
  if (name.kind === "internal") {
    const account = activeAccount(world.find(internalAccounts.ref(name.id)), "source.accountId");
    return { kind: "internal", account, currency: account.currency };
  }
  const account = activeAccount(liveExternal(world, name.id), "source.accountId");
  if (!ruleOf(account.accountType).pullable) {
    throw invalidField("source.accountId", "is an account that money cannot be pulled from");
  }
  return { kind: "external", account, currency: account.currency };
}

function destinationOf(world: Loaded, name: DestinationName): Destination {
  switch (name.kind) {
    case "uma":
      return { ...name, currency: name.receiver.currency };
    case "internal": {
      const found = world.find(internalAccounts.ref(name.id));
      const account = activeAccount(found, "destination.accountId");
      return { kind: "internal", account, currency: account.currency };
    }
    case "external": {
      const account = activeAccount(liveExternal(world, name.id), "destination.accountId");
      const { paymentRail } = name;
      return { kind: "external", account, currency: account.currency, paymentRail };
    }
  }
}

function liveExternal(world: Loaded, id: string): ExternalAccount | undefined {
  const account = world.find(externalAccounts.ref(id));
  return account?.deletedAt === null ? account : undefined;
}

function activeAccount<Account extends { readonly status: string }>(
  account: Account | undefined,
  field: string,
): Account {
  if (account === undefined) throw invalidField(field, "names no account");
  if (account.status !== "ACTIVE") throw invalidField(field, "is not active");
  return account;
}

/** The customer that the payment is made for: an account's owner, or the one that a platform's account is used for. */
function customerOf(world: Loaded, name: SourceName, source: Source): Customer | null {
  const ownerId = source.kind === "realtime" ? null : source.account.customerId;
  const customerId = name.customerId ?? ownerId;
  if (customerId === null) return null;
  const customer = world.find(customers.ref(customerId));
  if (customer === undefined || customer.deletedAt !== null) {
    throw invalidField("source.customerId", "names no customer");
  }
  if (ownerId !== null && ownerId !== customer.id) {
    throw invalidField("source.customerId", "is not the owner of the source");
  }
  return customer;
}

/** An account as the API names it. */
export function wireAccountOf(
  side: Exclude<Source, { kind: "realtime" }> | Exclude<Destination, { kind: "uma" }>,
): string {
  return side.kind === "internal"
    ? toInternalAccountId(side.account.id)
    : toExternalAccountId(side.account.id);
}

export function accountIdOf(side: Source | Destination): string | null {
  return side.kind === "internal" || side.kind === "external" ? side.account.id : null;
}
