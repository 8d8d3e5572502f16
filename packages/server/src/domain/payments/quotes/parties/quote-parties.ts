/** The parties of a quote: loads the named accounts and checks that the caller may use them. */
import type { Loaded } from "../../../../engine/command.ts";
import {
  type FieldError,
  invalidField,
  invalidFields,
  Refusal,
} from "../../../../engine/refusal.ts";
import { isCurrencyCode } from "../../../../money/currency.ts";
import { present } from "../../../../std/assert.ts";
import type { AnyRef } from "../../../../tables/tables.ts";
import { ruleOf } from "../../../accounts/external/account-types.ts";
import {
  type ExternalAccount,
  externalAccounts,
  toExternalAccountId,
} from "../../../accounts/external/external-account.ts";
import {
  type InternalAccount,
  internalAccounts,
  internalAccountsOfCustomer,
  toInternalAccountId,
} from "../../../accounts/internal/internal-account.ts";
import { payeeAccount } from "../../../accounts/internal/payee-account.ts";
import { type Customer, customers } from "../../../customers/customer.ts";
import type { CustomerInfo, RequestedField } from "../../../customers/customer-info.ts";
import { platforms } from "../../../platform.ts";
import { BOOK_RAIL, UMA_RAIL } from "../../transactions/delivery.ts";
import { railFor } from "../../transfers/transfer-rules.ts";
import type { OutsideTerms } from "../outside-terms.ts";

/** An account in a request: its kind and its uuid. */
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

/** The receiver at a UMA address, in one of the currencies that they take. */
export interface QuotedReceiver {
  readonly umaAddress: string;
  readonly currency: string;
  /** The least and the largest amount of one payment. */
  readonly minMinor: bigint;
  readonly maxMinor: bigint;
  /** The payer's data that the receiver's institution requires. */
  readonly requiredPayerFields: readonly RequestedField[];
  /** The receiver's data that the institution gives before a payment. */
  readonly counterpartyInformation: CustomerInfo;
  /** A counterparty of the sandbox, a customer of this deployment, or a payee of another institution. */
  readonly home:
    | { readonly kind: "sandbox" }
    | { readonly kind: "customer"; readonly platformId: string; readonly customerId: string }
    | { readonly kind: "outside"; readonly terms: OutsideTerms };
}

export type DestinationName =
  | (AccountName & { readonly paymentRail: string | undefined })
  /** The result of an earlier lookup, in the chosen currency. */
  | { readonly kind: "uma"; readonly receiver: QuotedReceiver };

export type Source =
  | { readonly kind: "internal"; readonly account: InternalAccount; readonly currency: string }
  | { readonly kind: "external"; readonly account: ExternalAccount; readonly currency: string }
  | {
      readonly kind: "realtime";
      readonly currency: string;
      readonly cryptoNetwork: string | undefined;
    };

export type Destination =
  | {
      readonly kind: "internal";
      readonly account: InternalAccount;
      readonly currency: string;
      readonly paymentRail: string | undefined;
    }
  | {
      readonly kind: "external";
      readonly account: ExternalAccount;
      readonly currency: string;
      readonly paymentRail: string | undefined;
    }
  | { readonly kind: "uma"; readonly receiver: QuotedReceiver; readonly currency: string };

export interface Parties {
  readonly source: Source;
  readonly destination: Destination;
  /** Null when the platform pays for itself. */
  readonly customer: Customer | null;
  /** The owner of an internal destination, or in production the own customer at a UMA address; null for every other destination. */
  readonly payee: Customer | null;
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
  for (const customerId of [customerIdOf(world, source), payeeIdOf(world, destination)]) {
    if (customerId !== null) refs.push(customers.ref(customerId));
  }
  const payeeId = ownPayeeId(world, destination);
  if (payeeId !== undefined) refs.push(internalAccountsOfCustomer.of(payeeId));
  return refs;
}

/** The account of a party if it is loaded; undefined when it does not exist. */
export function findAccount(
  world: Loaded,
  name: SourceName | DestinationName,
): InternalAccount | ExternalAccount | undefined {
  if (name.kind === "internal") return world.find(internalAccounts.ref(name.id));
  return name.kind === "external" ? liveExternal(world, name.id) : undefined;
}

/**
 * Refuses, in this order: accounts and a customer that cannot be used, in one answer; an unsupported currency; a destination
 * of another customer, unless both accounts are internal; the same account or holder on both sides; an own customer at a UMA address
 * without an account that takes the currency.
 */
export function partiesOf(world: Loaded, names: Names): Parties {
  const faults = [...sourceFaults(world, names.source), ...destinationFaults(world, names)];
  if (faults.length > 0) throw invalidFields(faults);
  const source = sourceOf(world, names.source);
  const customerId = customerIdOf(world, names.source);
  const customer = customerId === null ? null : (world.find(customers.ref(customerId)) ?? null);
  const destination = destinationOf(world, names.destination);
  if (destination.kind !== "uma") {
    const { customerId: owner, id } = destination.account;
    const mayBeOthers = source.kind === "internal" && destination.kind === "internal";
    if (!mayBeOthers && owner !== null && owner !== customerId) {
      throw invalidField("destination.accountId", "belongs to another customer");
    }
    if (source.kind !== "realtime" && source.account.id === id) throw new Refusal("SELF_PAYMENT");
  } else {
    const { home } = destination.receiver;
    if (home.kind === "customer" && home.customerId === customer?.id) {
      throw new Refusal("SELF_PAYMENT");
    }
  }
  const payeeId = payeeIdOf(world, names.destination);
  const payee = payeeId === null ? null : (world.find(customers.ref(payeeId)) ?? null);
  if (payee !== null && destination.kind === "uma") refuseWithoutAccount(world, payee, destination);
  return { source, destination, customer, payee };
}

function refuseWithoutAccount(
  world: Loaded,
  payee: Customer,
  { currency }: Pick<Destination, "currency">,
): void {
  if (payeeAccount(world, { customer: payee, currency }) !== undefined) return;
  throw new Refusal(
    "INVALID_CURRENCY",
    { field: "destination.currency", currency },
    `The receiver does not take ${currency}.`,
  );
}

/** Faults: an account that is unknown, inactive or not pullable; a customer who is unknown, deleted or not the owner. */
function sourceFaults(world: Loaded, name: SourceName): readonly FieldError[] {
  const field = "source.accountId";
  const [fault] = accountFaults(world, name, field);
  if (fault !== undefined) return [fault];
  const account = findAccount(world, name);
  const isExternal = account !== undefined && "accountType" in account;
  if (isExternal && !ruleOf(account.accountType).pullable) {
    return [{ field, message: "is an account that money cannot be pulled from" }];
  }
  const customerId = customerIdOf(world, name);
  const customer = customerId === null ? null : world.find(customers.ref(customerId));
  if (customer === null) return [];
  const whose = "source.customerId";
  if (customer === undefined || customer.deletedAt !== null) {
    if (name.customerId !== undefined) return [{ field: whose, message: "names no customer" }];
    return [{ field, message: "belongs to a customer who was deleted" }];
  }
  const owner = account?.customerId ?? null;
  if (owner === null || owner === customer.id) return [];
  return [{ field: whose, message: "is not the owner of the source" }];
}

function destinationFaults(world: Loaded, { destination }: Names): readonly FieldError[] {
  const field = "destination.accountId";
  const faults = accountFaults(world, destination, field);
  const payeeId = payeeIdOf(world, destination);
  if (faults.length > 0 || payeeId === null) return faults;
  if (world.find(customers.ref(payeeId))?.deletedAt === null) return [];
  const named = destination.kind === "uma" ? "destination.umaAddress" : field;
  return [{ field: named, message: "belongs to a customer who was deleted" }];
}

function accountFaults(
  world: Loaded,
  name: SourceName | DestinationName,
  field: string,
): readonly FieldError[] {
  if (name.kind !== "internal" && name.kind !== "external") return [];
  const account = findAccount(world, name);
  if (account === undefined) return [{ field, message: "names no account" }];
  return account.status === "ACTIVE" ? [] : [{ field, message: "is not active" }];
}

function sourceOf(world: Loaded, name: SourceName): Source {
  switch (name.kind) {
    case "realtime": {
      const { currency, cryptoNetwork } = name;
      if (!isCurrencyCode(currency)) {
        const field = "source.currency";
        const message = `${field}: ${currency} is not a known currency`;
        throw new Refusal("INVALID_CURRENCY", { field, currency }, message);
      }
      return { kind: "realtime", currency, cryptoNetwork };
    }
    case "internal": {
      const account = internalAccountOf(world, name.id);
      return { kind: "internal", account, currency: account.currency };
    }
    case "external": {
      const account = externalAccountOf(world, name.id);
      return { kind: "external", account, currency: account.currency };
    }
  }
}

function destinationOf(world: Loaded, name: DestinationName): Destination {
  switch (name.kind) {
    case "uma":
      return { ...name, currency: name.receiver.currency };
    case "internal": {
      const account = internalAccountOf(world, name.id);
      const { paymentRail } = name;
      return { kind: "internal", account, currency: account.currency, paymentRail };
    }
    case "external": {
      const account = externalAccountOf(world, name.id);
      const { paymentRail } = name;
      return { kind: "external", account, currency: account.currency, paymentRail };
    }
  }
}

function internalAccountOf(world: Loaded, id: string): InternalAccount {
  return present(world.find(internalAccounts.ref(id)), "an account that was found");
}

function externalAccountOf(world: Loaded, id: string): ExternalAccount {
  return present(liveExternal(world, id), "an account that was found");
}

function liveExternal(world: Loaded, id: string): ExternalAccount | undefined {
  const account = world.find(externalAccounts.ref(id));
  return account?.deletedAt === null ? account : undefined;
}

/** The customer of the payment: the account's owner, or the customer for whom a platform's account is used. */
function customerIdOf(world: Loaded, name: SourceName): string | null {
  return name.customerId ?? findAccount(world, name)?.customerId ?? null;
}

/** The owner of an internal destination, or the own customer at a UMA address. */
function payeeIdOf(world: Loaded, destination: DestinationName): string | null {
  if (destination.kind === "uma") return ownPayeeId(world, destination) ?? null;
  if (destination.kind !== "internal") return null;
  return findAccount(world, destination)?.customerId ?? null;
}

/** The customer at a UMA address who is paid within the books. A sandbox pays its customers over the simulated network, which asks then. */
function ownPayeeId(world: Loaded, destination: DestinationName): string | undefined {
  if (destination.kind !== "uma") return undefined;
  const { home } = destination.receiver;
  if (home.kind !== "customer" || home.platformId !== world.platformId) return undefined;
  const platform = world.find(platforms.ref(world.platformId));
  return platform?.environment === "PRODUCTION" ? home.customerId : undefined;
}

/** The price and the invoice of a payment to another institution. */
export function outsideTermsOf(destination: Destination | DestinationName) {
  if (destination.kind !== "uma") return undefined;
  const { home } = destination.receiver;
  return home.kind === "outside" ? home.terms : undefined;
}

/** The rail to the receiver; when the receiver's account is within the books, the rail from the payer. */
export function railTaken({ source, destination }: Parties): string {
  if (destination.kind === "uma") return UMA_RAIL;
  if (destination.kind === "external") return railFor(destination.account, destination.paymentRail);
  return source.kind === "external" ? railFor(source.account) : BOOK_RAIL;
}

/** The wire id of a party's account. */
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
