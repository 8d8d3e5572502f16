/**
 * What payments need of connections to rails: to choose one, to give it an order, to tell payers where to pay, and to give money back
 * the way that it came. `rails` implements it (rails/rail-carrier.ts). The functions are pure; commands get them from `world.port`.
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

/** Which way the money goes: out, in from an account that is asked, in from a payer who sends it. */
export const routeDirections = ["OUT", "PULL", "FUNDING"] as const;
export type RouteDirection = (typeof routeDirections)[number];

/** What a payment asks of a route. */
export interface Wanted {
  readonly direction: RouteDirection;
  readonly currency: string;
  readonly accountType: string;
  /** In the order of preference: the caller's alone, or those of the account. */
  readonly paymentRails: readonly string[];
  readonly amountMinor: bigint;
}

/** What may be missing where nothing carries a payment; of several the first is named. */
export const missingParts = ["CONNECTION", "ROUTE", "AMOUNT", "FUNDING", "RATE"] as const;
/** What may be missing for one direction. */
export type MissingPart = Extract<(typeof missingParts)[number], "CONNECTION" | "ROUTE" | "AMOUNT">;

/** A route that was taken. */
export interface Choice {
  readonly paymentRail: string;
  readonly routeId: string;
  readonly connectionId: string;
  readonly fallbackAfterSeconds: number | null;
}

export type Chosen =
  | { readonly kind: "taken"; readonly choice: Choice }
  /** Every route that would take the payment leads to a connection that is paused. */
  | { readonly kind: "paused" }
  | { readonly kind: "none"; readonly missing: MissingPart };

/** The connections by which the money of a payer may come. */
export interface PayIn {
  /** How long the payer has, and how much later the money may be told of. */
  readonly windowMs: number;
  readonly graceMs: number;
  /** New addresses for the money of the quote. `put` stores them. */
  open(world: World, quote: Pick<Quote, "id" | "sendingCurrency">): OpenedPayIn;
}

export interface OpenedPayIn {
  readonly instructions: readonly JsonObject[];
  put(): void;
}

/** The routes of a platform as they are now. */
export interface Routes {
  choose(wanted: Wanted): Chosen;
  /** Undefined when no connection takes the money; without an amount the limits of routes do not count. */
  payIn(of: { readonly currency: string; readonly amountMinor?: bigint }): PayIn | undefined;
  /** A connection that is paused would take the money otherwise. */
  isPayInPaused(currency: string): boolean;
  /** Whether a connection pays out by the rail. */
  pays(currency: string, paymentRail: string): boolean;
}

export interface CarrierOrder {
  readonly transactionId: string;
  readonly direction: "OUT" | "PULL";
  readonly choice: Choice;
  readonly external: ExternalAccount;
  readonly amountMinor: bigint;
  readonly remittance: string | undefined;
}

export interface Carrier {
  /** The rows of `routes`. */
  routeNeeds(world: Loaded): readonly AnyRef[];
  /** The rows of an order in this currency. */
  orderNeeds(world: Loaded, currency: string): readonly AnyRef[];
  routes(world: Loaded): Routes;
  /** Gives the payment to the connection of the route, and shows the order on the transaction. */
  order(world: World, order: CarrierOrder): void;
  /** When a payment that is ordered now is expected to have settled. */
  expectedAt(world: World, choice: Choice, type: TransactionType): number;
  /** The rows of `giveBack`. */
  giveBackNeeds(world: Loaded, quote: Quote): readonly AnyRef[];
  /** Gives the money of a quote back to where it came from outside. Its refund was begun before. */
  giveBack(world: World, quote: Quote): void;
}

export const carrierPort = definePort<Carrier>("carrier");
