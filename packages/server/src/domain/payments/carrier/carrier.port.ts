/**
 * What payments need from rail connections: to choose one, to send it an order, to give payers payment instructions, and to return money
 * the way it came. `rails` implements it (rails/rail-carrier.ts). The functions are pure; commands get them from `world.port`.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { definePort } from "../../../engine/port.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { ExternalAccount } from "../../accounts/external/external-account.ts";
import type { TransactionType } from "../../platform.ts";
import type { Quote } from "../quotes/quote.ts";

/** The kinds of connections that a platform attaches. */
export const connectionKinds = ["HTTP", "MANUAL"] as const;

/**
 * OUT: a payout. PULL: a collection from an external account. FUNDING: money that a payer sends. INVOICE: an invoice that another institution
 * pays.
 */
export const routeDirections = ["OUT", "PULL", "FUNDING", "INVOICE"] as const;
export type RouteDirection = (typeof routeDirections)[number];

/** The account type of orders that pay an invoice of a UMA address. A route names it, so that no other route carries such orders. */
export const UMA_ADDRESS = "UMA_ADDRESS";

/** What a route must support to carry a payment. */
export interface Wanted {
  readonly direction: RouteDirection;
  readonly currency: string;
  readonly accountType: string;
  /** In order of preference: only the rail that the caller named, or all rails of the account. */
  readonly paymentRails: readonly string[];
  readonly amountMinor: bigint;
  /** Of an invoice, where it is known what moves on which layer; absent: any asset in the currency. */
  readonly asset?: { readonly layer: string; readonly identifier: string };
  /** Present where the connection was fixed before: no other one is chosen. */
  readonly connectionId?: string;
}

/** Whether an invoice is to be made or paid, so that layers of connections decide and not capabilities. */
export function isOfInvoice({
  direction,
  accountType,
}: Pick<Wanted, "direction" | "accountType">): boolean {
  return direction === "INVOICE" || accountType === UMA_ADDRESS;
}

/** What can be missing when nothing carries a payment. If several parts are missing, the refusal names the first in this order. */
export const missingParts = [
  "CONNECTION",
  "ROUTE",
  "SETTLEMENT",
  "AMOUNT",
  "FUNDING",
  "RATE",
] as const;
/** The parts that the choice of a route in one direction can report. */
export type MissingPart = Extract<
  (typeof missingParts)[number],
  "CONNECTION" | "ROUTE" | "SETTLEMENT" | "AMOUNT"
>;

/** The route that was chosen for a payment. */
export interface Choice {
  readonly paymentRail: string;
  readonly routeId: string;
  readonly connectionId: string;
  readonly fallbackAfterSeconds: number | null;
}

export type Chosen =
  | { readonly kind: "taken"; readonly choice: Choice }
  /** Every route that fits the payment leads to a paused connection. */
  | { readonly kind: "paused" }
  | { readonly kind: "none"; readonly missing: MissingPart };

/** The connections through which a payer can send the money of a quote. */
export interface PayIn {
  /** `windowMs`: how long the payer has. `graceMs`: how much later an entry may report money that was paid in time. */
  readonly windowMs: number;
  readonly graceMs: number;
  /** Creates funding addresses for the quote; `put` of the result stores them. */
  open(world: World, quote: Pick<Quote, "id" | "sendingCurrency">): OpenedPayIn;
}

export interface OpenedPayIn {
  readonly instructions: readonly JsonObject[];
  put(): void;
}

/** The routes of a platform as they are now. */
export interface Routes {
  choose(wanted: Wanted): Chosen;
  /** Undefined when no connection accepts the money. Without an amount, the limits of routes are ignored. */
  payIn(of: { readonly currency: string; readonly amountMinor?: bigint }): PayIn | undefined;
  /** Whether a paused connection would accept the money if it were active. */
  isPayInPaused(currency: string): boolean;
  /** Whether a connection pays out by the rail. */
  pays(currency: string, paymentRail: string): boolean;
}

/** The account at the other end. */
export type OtherEnd = Pick<ExternalAccount, "currency" | "accountInfo" | "primaryIdentifier"> & {
  readonly accountType: string;
};

/** An invoice of another institution, which the order pays. */
export type OrderInvoice = {
  readonly layer: string;
  readonly assetIdentifier: string;
  readonly invoice: string;
  /** Host time, ISO 8601: after it, the order is not sent any more. */
  readonly payBy: string;
  /** The same moment in platform time, in milliseconds. */
  readonly lapsesAt: number;
};

export interface CarrierOrder {
  readonly transactionId: string;
  readonly direction: "OUT" | "PULL";
  readonly choice: Choice;
  readonly external: OtherEnd;
  readonly invoice?: OrderInvoice;
  readonly amountMinor: bigint;
  readonly remittance: string | undefined;
}

export interface Carrier {
  /** The rows that `routes` reads. */
  routeNeeds(world: Loaded): readonly AnyRef[];
  /** The rows that `order` can touch in this currency. */
  orderNeeds(world: Loaded, currency: string): readonly AnyRef[];
  routes(world: Loaded): Routes;
  /** Adds an order for the route's connection, and shows it on the transaction. */
  order(world: World, order: CarrierOrder): void;
  /** When a payment that is ordered now is expected to have settled. */
  expectedAt(world: World, choice: Choice, type: TransactionType): number;
  /** The rows that `giveBack` can touch. */
  giveBackNeeds(world: Loaded, quote: Quote): readonly AnyRef[];
  /** Returns the money of a quote to its external origin. The caller has opened the refund. */
  giveBack(world: World, quote: Quote): void;
}

export const carrierPort = definePort<Carrier>("carrier");
