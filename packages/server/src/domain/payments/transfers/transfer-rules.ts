/** Rules that transfers out and transfers in share: who may transfer, between which accounts, and how much. */

import type { Loaded } from "../../../engine/command.ts";
import { invalidField, outOfRange, Refusal } from "../../../engine/refusal.ts";
import { ledgerAccounts, systemAccount } from "../../../ledger/chart.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { railsOfType } from "../../accounts/external/account-types.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import { refuseFrozenCredit, refuseFrozenDebit } from "../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { refuseWithoutRoom } from "../../accounts/internal/system-room.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { refuseUnlessReady } from "../../customers/readiness.ts";
import { otherKindComplaint } from "../../id-kinds.ts";
import { enabledCurrency, type Platform, platforms, type TransactionType } from "../../platform.ts";
import { type Choice, carrierPort } from "../carrier/carrier.port.ts";
import { clearingOf, simulatedClearing } from "../carrier/clearing.ts";
import { noRail, railPaused } from "../carrier/no-carrier.ts";
import type { RailRules, RailRulesOf } from "./payment-rail.port.ts";

export interface TransferAccounts {
  readonly platform: Platform;
  readonly internal: InternalAccount;
  readonly external: ExternalAccount;
  /** Null when the platform moves its own money. */
  readonly customer: Customer | null;
}

/** What carries a transfer: a route to a connection of the platform, or a rail of the deployment. */
export type Carrier =
  | { readonly kind: "connection"; readonly choice: Choice }
  | { readonly kind: "rail"; readonly rail: RailRules };

/** The accounts of a transfer that passed every check except the balance, and what carries it. */
export interface Carried {
  readonly accounts: TransferAccounts;
  readonly carrier: Carrier;
}

export interface TransferIds {
  readonly internalId: string;
  readonly externalId: string;
}

/** The fields of the request that name the two accounts. */
const accountFields: Readonly<
  Record<TransactionType, { readonly internalField: string; readonly externalField: string }>
> = {
  OUTGOING: { internalField: "source.accountId", externalField: "destination.accountId" },
  INCOMING: { internalField: "destination.accountId", externalField: "source.accountId" },
};

/** The refusal of an account that is unknown, deleted, of another customer, or of another kind. */
export function noAccount(
  type: TransactionType,
  kind: "internal" | "external",
  rawId?: string,
): Refusal {
  const { internalField, externalField } = accountFields[type];
  const field = kind === "internal" ? internalField : externalField;
  const wanted = kind === "internal" ? "InternalAccount" : "ExternalAccount";
  const reason = otherKindComplaint(rawId, [wanted]) ?? `names no ${kind} account`;
  return new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: ${reason}`);
}

/** Everything a transfer between these accounts can touch. */
export function transferNeeds(
  world: Loaded,
  { internalId, externalId }: TransferIds,
): readonly AnyRef[] {
  const refs: AnyRef[] = [
    platforms.ref(world.platformId),
    internalAccounts.ref(internalId),
    ledgerAccounts.ref(internalId),
    externalAccounts.ref(externalId),
    ...world.port(carrierPort).routeNeeds(world),
  ];
  const internal = world.find(internalAccounts.ref(internalId));
  if (internal === undefined) return refs;
  const { currency } = internal;
  refs.push(systemAccount("in-flight", currency), systemAccount("rail-clearing", currency));
  refs.push(...world.port(carrierPort).orderNeeds(world, currency));
  if (internal.customerId !== null) refs.push(customers.ref(internal.customerId));
  return refs;
}

/** The accounts of a transfer, both of which must exist: REFERENCE_NOT_FOUND, the internal one first. */
export function accountsOf(
  world: Loaded,
  ids: TransferIds,
  type: TransactionType,
): TransferAccounts {
  const internal = world.find(internalAccounts.ref(ids.internalId));
  if (internal === undefined) throw noAccount(type, "internal");
  const external = world.find(externalAccounts.ref(ids.externalId));
  if (external === undefined || external.deletedAt !== null) throw noAccount(type, "external");
  const platform = world.find(platforms.ref(world.platformId));
  if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  const customer =
    internal.customerId === null ? null : (world.find(customers.ref(internal.customerId)) ?? null);
  return { platform, internal, external, customer };
}

export interface TransferTerms {
  readonly amountMinor: bigint;
  readonly type: TransactionType;
}

const WALLET_MESSAGES: Readonly<Record<TransactionType, string>> = {
  OUTGOING: "is an embedded wallet, which pays through quotes, with its owner's signature",
  INCOMING: "is an embedded wallet, which is paid through quotes",
};

/**
 * Refuses, in this order: an embedded wallet; an external account of another customer; an account that is not active; two
 * currencies; a currency the platform does not move in this direction; an amount outside its limits; a customer who is not
 * ready; a freeze.
 */
export function refuseTransfer(accounts: TransferAccounts, terms: TransferTerms): void {
  const { platform, internal, external, customer } = accounts;
  const { internalField, externalField } = accountFields[terms.type];
  if (internal.type === "EMBEDDED_WALLET") {
    throw invalidField(internalField, WALLET_MESSAGES[terms.type]);
  }
  if (external.customerId !== null && external.customerId !== internal.customerId) {
    throw invalidField(externalField, "belongs to another customer");
  }
  if (internal.status !== "ACTIVE") throw invalidField(internalField, "is not active");
  if (external.status !== "ACTIVE") throw invalidField(externalField, "is not active");
  if (internal.currency !== external.currency) {
    throw new Refusal(
      "INVALID_CURRENCY",
      { source: internal.currency, destination: external.currency },
      "Both accounts must be in one currency; use a quote to convert.",
    );
  }
  refuseAmount(platform, { currency: internal.currency, terms });
  if (customer !== null) refuseUnlessReady(customer);
  if (terms.type === "OUTGOING") refuseFrozenDebit(internal, internalField);
  else refuseFrozenCredit(internal, internalField);
}

/** Refuses, in this order: a currency the platform does not move in this direction; an amount outside its limits. */
export function refuseAmount(
  platform: Platform,
  {
    currency,
    terms,
  }: {
    readonly currency: string;
    readonly terms: Pick<TransferTerms, "amountMinor" | "type">;
  },
): void {
  const { minAmount, maxAmount } = enabledCurrency(platform, currency, terms.type);
  if (terms.amountMinor < BigInt(minAmount) || terms.amountMinor > BigInt(maxAmount)) {
    throw outOfRange({ currency, amountMinor: terms.amountMinor, minAmount, maxAmount });
  }
}

/** Refuses a transfer that the books could not settle: see `refuseWithoutRoom`. */
export function refuseUnsettleableTransfer(
  world: Loaded,
  { accounts, carrier }: Carried,
  { amountMinor, type }: TransferTerms,
): void {
  const { currency } = accounts.internal;
  const minor = type === "OUTGOING" ? amountMinor : -amountMinor;
  const clearing =
    carrier.kind === "rail"
      ? simulatedClearing(currency)
      : clearingOf({ currency, connectionId: carrier.choice.connectionId });
  refuseWithoutRoom(world, [{ ...clearing, minor }]);
}

/** Refuses a named rail that the external account does not have. */
export function refuseUnknownRail(external: ExternalAccount, rail: string | undefined): void {
  if (rail === undefined) return;
  const supported = railsOf(external);
  if (supported.includes(rail)) return;
  throw invalidField(
    "destination.paymentRail",
    `is not a rail of the destination: one of ${supported.join(", ")}`,
    { supported },
  );
}

/**
 * What carries the transfer: the first route that takes it, or else the rail of the platform's environment. RAIL_PAUSED when
 * every route that would take it is paused, NOT_IMPLEMENTED when nothing carries it.
 */
export function requireCarrier(
  world: Loaded,
  { platform, external }: TransferAccounts,
  {
    rails,
    paymentRail,
    amountMinor,
    type,
  }: {
    readonly rails: RailRulesOf;
    readonly paymentRail?: string | undefined;
    readonly amountMinor: bigint;
    readonly type: TransactionType;
  },
): Carrier {
  const { currency, accountType } = external;
  const direction = type === "OUTGOING" ? "OUT" : "PULL";
  const paymentRails = paymentRail === undefined ? railsOf(external) : [paymentRail];
  const wanted = { direction, currency, accountType, paymentRails, amountMinor } as const;
  const found = world.port(carrierPort).routes(world).choose(wanted);
  if (found.kind === "taken") return { kind: "connection", choice: found.choice };
  if (found.kind === "paused") throw railPaused(wanted);
  const rail = rails(platform.environment);
  if (rail !== undefined) return { kind: "rail", rail };
  throw noRail({ ...wanted, rail: railFor(external, paymentRail) }, found.missing);
}

/** The rail of the transfer: the requested one, or the account's first. */
export function railFor(external: ExternalAccount, wanted?: string): string {
  return wanted ?? railsOf(external)[0] ?? external.accountType;
}

/** The rails of an account, in the order of preference. */
export function railsOf({ accountType, accountInfo }: ExternalAccount): readonly string[] {
  const rails = accountInfo.paymentRails;
  return Array.isArray(rails) ? rails.map(String) : railsOfType(accountType);
}

/** Who the transaction belongs to, as the API names them. */
export function ownerOf({ platform, customer }: TransferAccounts) {
  return customer === null
    ? { customerId: null, platformCustomerId: platform.id }
    : { customerId: customer.id, platformCustomerId: customer.platformCustomerId };
}
