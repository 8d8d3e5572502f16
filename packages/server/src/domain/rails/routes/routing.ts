/**
 * The choice of a connection for a payment. A payment reads one row of its platform, which holds the routes and what they need to
 * know of their connections, so that accepting a payment loads no list of rows. Every command that changes a route or a
 * connection writes that row anew in its commit.
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { systemAccount } from "../../../ledger/chart.ts";
import type { JsonObject } from "../../../std/json.ts";
import { platformRowFinderOf } from "../../../tables/find-row.ts";
import { type AnyRef, defineTable, fixed, mutable, type RowOf } from "../../../tables/tables.ts";
import {
  type Choice,
  isOfInvoice,
  type MissingPart,
  type RouteDirection,
  UMA_ADDRESS,
  type Wanted,
} from "../../payments/carrier/carrier.port.ts";
import type { RailCalendar } from "../connections/calendar.ts";
import { capabilitiesBySettings } from "../connections/connection-settings.ts";
import type { FundingSettings } from "../connections/funding-settings.ts";
import {
  type Capability,
  type ConnectionKind,
  type ConnectionStatus,
  liveConnections,
  type PauseMode,
  type RailConnection,
} from "../connections/rail-connection.ts";
import type { SettlementAsset, SettlementLayer } from "../connections/settlement.ts";
import { liveRoutes } from "./rail-route.ts";
import { layersOf, sandboxRoutes } from "./sandbox-routes.ts";

/** A route as the row holds it: amounts are text, because JSON has no whole numbers of this size. */
export type RouteEntry = {
  readonly id: string;
  readonly priority: number;
  readonly direction: RouteDirection;
  readonly currency: string;
  readonly accountTypes: readonly string[] | null;
  readonly paymentRails: readonly string[] | null;
  readonly min: string | null;
  readonly max: string | null;
  readonly connectionId: string;
  readonly enabled: boolean;
  readonly fallbackAfterSeconds: number | null;
};

export type ConnectionEntry = {
  readonly id: string;
  readonly kind: ConnectionKind;
  /** Our account there, which an order names. */
  readonly account: JsonObject;
  readonly status: ConnectionStatus;
  readonly newPayments: PauseMode;
  readonly capabilities: readonly Capability[];
  /** Absent for a connection without layers, and in rows written by earlier versions. */
  readonly settlement?: readonly SettlementLayer[];
  /** Absent in rows written by earlier versions; payers are then not shown the connection. */
  readonly funding?: FundingSettings;
  /** Where orders go; absent for a MANUAL connection and in rows written by earlier versions. */
  readonly baseUrl?: string;
  /** The exchanges with the connector that may be under way at once; undefined: the usual number. */
  readonly concurrency?: number;
  /** See `ConnectionControl`. */
  readonly payoutCeiling: string | null;
  readonly calendar: RailCalendar;
  /** See `ConnectionSettings`. */
  readonly holdDays: number;
};

const columns = {
  /** The id of the platform. */
  id: fixed("uuid"),
  /** In the order in which they are tried. */
  routes: mutable<readonly RouteEntry[]>("json"),
  connections: mutable<readonly ConnectionEntry[]>("json"),
};

export interface RailRouting extends RowOf<typeof columns> {}

export const railRoutings = defineTable<RailRouting>("rail_routings", columns);

export const findRouting = platformRowFinderOf(railRoutings);

/** The rows from which the routing row is made. */
export const routingNeeds: readonly AnyRef[] = [liveRoutes, liveConnections];

/** Rebuilds the routing row. The command must have stored its own change before. */
export function putRouting(world: World): void {
  const routes = world
    .all(liveRoutes)
    .toSorted((one, other) => one.priority - other.priority || (one.id < other.id ? -1 : 1))
    .map((route) => ({
      id: route.id,
      priority: route.priority,
      direction: route.direction,
      currency: route.currency,
      accountTypes: route.accountTypes,
      paymentRails: route.paymentRails,
      min: route.minMinor?.toString() ?? null,
      max: route.maxMinor?.toString() ?? null,
      connectionId: route.connectionId,
      enabled: route.enabled,
      fallbackAfterSeconds: route.fallbackAfterSeconds,
    }));
  const connections = world
    .all(liveConnections)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(entryOf);
  world.put(railRoutings, { id: world.platformId, routes, connections });
}

function entryOf(connection: RailConnection): ConnectionEntry {
  const { id, kind, account, status, newPayments, funding, settlement } = connection;
  const capabilities = capabilitiesBySettings(connection);
  const { calendar, control, settings } = connection;
  const { payoutCeiling } = control;
  const { holdDays = 0, baseUrl, concurrency } = settings;
  const line = {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(settlement.length === 0 ? {} : { settlement }),
  };
  const rules = { ...line, payoutCeiling, calendar, holdDays, funding };
  return { id, kind, account, status, newPayments, capabilities, ...rules };
}

/** Replaces one connection in the routing row, for commands that change nothing but that connection. */
export function putRoutingOf(world: World, connection: RailConnection): void {
  const routing = world.get(railRoutings.ref(world.platformId));
  const connections = routing.connections.map((entry) =>
    entry.id === connection.id ? entryOf(connection) : entry,
  );
  world.put(railRoutings, { ...routing, connections });
}

export const notTakenReasons = [
  "TAKEN",
  "LOWER_PRIORITY",
  "DISABLED",
  "OTHER_CRITERIA",
  "AMOUNT",
  "CONNECTION_PAUSED",
  "CONNECTION_NOT_ACTIVE",
  "NOT_COVERED",
] as const;
export type CandidateReason = (typeof notTakenReasons)[number];

export interface Candidate {
  readonly routeId: string;
  readonly connectionId: string;
  readonly reason: CandidateReason;
}

export type Resolution =
  | { readonly kind: "taken"; readonly choice: Choice; readonly candidates: readonly Candidate[] }
  | { readonly kind: "paused"; readonly candidates: readonly Candidate[] }
  | {
      readonly kind: "none";
      readonly missing: MissingPart;
      readonly candidates: readonly Candidate[];
    };

/**
 * Chooses the first rail, in order of preference, for which a route can take the payment, and the first such route. `paused`: no route can,
 * but one could if its connection were not paused. The connection `without` takes no part.
 */
export function resolveRoute(
  routing: RailRouting | undefined,
  wanted: Wanted,
  without?: string,
): Resolution {
  const { routes = [], connections = [] } = routing ?? {};
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const listed = [...routes, ...sandboxRoutes(connections, wanted)].filter(
    ({ direction, currency, connectionId }) =>
      direction === wanted.direction &&
      currency === wanted.currency &&
      connectionId !== without &&
      (wanted.connectionId === undefined || connectionId === wanted.connectionId),
  );
  for (const paymentRail of wanted.paymentRails) {
    const judged = listed.map((route) => ({
      route,
      reason: judge(route, byId.get(route.connectionId), { ...wanted, paymentRail }),
    }));
    const taken = judged.find(({ reason }) => reason === "TAKEN");
    if (taken === undefined) continue;
    const candidates = judged.map(({ route, reason }) =>
      candidateOf(route, reason === "TAKEN" && route !== taken.route ? "LOWER_PRIORITY" : reason),
    );
    const { id: routeId, connectionId, fallbackAfterSeconds } = taken.route;
    const choice = { paymentRail, routeId, connectionId, fallbackAfterSeconds };
    return { kind: "taken", choice, candidates };
  }
  const reasons = listed.map((route) => ({
    route,
    reasons: wanted.paymentRails.map((paymentRail) =>
      judge(route, byId.get(route.connectionId), { ...wanted, paymentRail }),
    ),
  }));
  const candidates = reasons.map(({ route, reasons }) => candidateOf(route, nearest(reasons)));
  const found = nearest(candidates.map(({ reason }) => reason));
  if (found === "CONNECTION_PAUSED") return { kind: "paused", candidates };
  const covers = connections.some((connection) =>
    wanted.paymentRails.some((paymentRail) => isCovered(connection, { ...wanted, paymentRail })),
  );
  if (found === "AMOUNT") return { kind: "none", missing: "AMOUNT", candidates };
  if (found === "NOT_COVERED" && isOfInvoice(wanted))
    return { kind: "none", missing: "SETTLEMENT", candidates };
  return { kind: "none", missing: covers ? "ROUTE" : "CONNECTION", candidates };
}

/** Reasons by how close the route came to being chosen; of several, the closest is reported. */
const NEARNESS: readonly CandidateReason[] = [
  "CONNECTION_PAUSED",
  "AMOUNT",
  "CONNECTION_NOT_ACTIVE",
  "NOT_COVERED",
  "DISABLED",
  "OTHER_CRITERIA",
];

function nearest(reasons: readonly CandidateReason[]): CandidateReason {
  return NEARNESS.find((reason) => reasons.includes(reason)) ?? "OTHER_CRITERIA";
}

export interface OneRail extends Wanted {
  readonly paymentRail: string;
}

/** Why a route takes a payment by this rail, or does not. */
export function judge(
  route: RouteEntry,
  connection: ConnectionEntry | undefined,
  wanted: OneRail,
): CandidateReason {
  if (!route.enabled) return "DISABLED";
  const { paymentRails } = route;
  if (!isForType(route, wanted.accountType)) return "OTHER_CRITERIA";
  if (paymentRails !== null && !paymentRails.includes(wanted.paymentRail)) return "OTHER_CRITERIA";
  if (connection === undefined || standingOf(connection, wanted) === "NOT_ACTIVE")
    return "CONNECTION_NOT_ACTIVE";
  if (!isCovered(connection, wanted)) return "NOT_COVERED";
  const { amountMinor } = wanted;
  const isWithin =
    (route.min === null || amountMinor >= BigInt(route.min)) &&
    (route.max === null || amountMinor <= BigInt(route.max)) &&
    isAmountCovered(connection, wanted);
  if (!isWithin) return "AMOUNT";
  return standingOf(connection, wanted) === "PAUSED" ? "CONNECTION_PAUSED" : "TAKEN";
}

/**
 * Whether the connection takes new payments. An invoice is made while its payer waits, so only an ACTIVE connection makes one. An order waits for
 * a connection that is degraded, or that is paused and queues.
 */
export function standingOf(
  { status, newPayments }: Pick<ConnectionEntry, "status" | "newPayments">,
  { direction }: Pick<Wanted, "direction">,
): "TAKES" | "PAUSED" | "NOT_ACTIVE" {
  const canWait = direction !== "INVOICE";
  switch (status) {
    case "ACTIVE":
      return "TAKES";
    case "PAUSED":
      return canWait && newPayments === "QUEUE" ? "TAKES" : "PAUSED";
    case "DEGRADED":
      return canWait ? "TAKES" : "NOT_ACTIVE";
    case "SETUP":
    case "ARCHIVED":
      return "NOT_ACTIVE";
  }
}

/** No route carries orders that pay invoices unless it says so: those without account types are older than such orders. */
function isForType({ direction, accountTypes }: RouteEntry, accountType: string): boolean {
  if (direction === "INVOICE") return true;
  return accountTypes === null ? accountType !== UMA_ADDRESS : accountTypes.includes(accountType);
}

/** Whether the connection carries such payments, whatever the amount. */
function isCovered(connection: ConnectionEntry, wanted: OneRail): boolean {
  const { capabilities, status, funding } = connection;
  if (status === "SETUP") return false;
  if (isOfInvoice(wanted)) return settles(connection, wanted).length > 0;
  if (wanted.direction === "FUNDING") return funding !== undefined && funding.mode !== "NONE";
  return capabilities.some((capability) => covers(capability, wanted));
}

function isAmountCovered(connection: ConnectionEntry, wanted: OneRail): boolean {
  // No capability limits the amount that a payer sends.
  if (wanted.direction === "FUNDING") return true;
  const limits = isOfInvoice(wanted)
    ? settles(connection, wanted)
    : connection.capabilities.filter((capability) => covers(capability, wanted));
  return limits.some(
    ({ minAmount, maxAmount }) =>
      (minAmount === undefined || wanted.amountMinor >= BigInt(minAmount)) &&
      (maxAmount === undefined || wanted.amountMinor <= BigInt(maxAmount)),
  );
}

/** The assets in which the connection makes or pays such invoices. */
function settles(
  connection: ConnectionEntry,
  { direction, currency, asset: named }: OneRail,
): readonly SettlementAsset[] {
  return layersOf(connection)
    .filter(({ send, receive }) => (direction === "INVOICE" ? receive : send))
    .filter(({ layer }) => named === undefined || named.layer === layer)
    .flatMap(({ assets }) => assets)
    .filter((asset) => asset.currency === currency)
    .filter(({ identifier }) => named === undefined || named.identifier === identifier);
}

function covers(capability: Capability, wanted: OneRail): boolean {
  return (
    capability.direction === wanted.direction &&
    capability.currency === wanted.currency &&
    capability.accountTypes.includes(wanted.accountType) &&
    capability.paymentRails.includes(wanted.paymentRail)
  );
}

function candidateOf({ id, connectionId }: RouteEntry, reason: CandidateReason): Candidate {
  return { routeId: id, connectionId, reason };
}

/** The routing row of a platform; undefined while it has no connection. */
export function routingOf(world: Loaded): RailRouting | undefined {
  return world.find(railRoutings.ref(world.platformId));
}

/** A connection as the routing row holds it; undefined for one that is archived. */
export function connectionEntryOf(
  world: Loaded,
  connectionId: string,
): ConnectionEntry | undefined {
  return routingOf(world)?.connections.find(({ id }) => id === connectionId);
}

/**
 * The clearing accounts of all connections, for a payment in this currency. Not only of those with routes: an earlier command of the same
 * batch may add a route after the rows are loaded.
 */
export function clearingNeeds(world: Loaded, currency: string): readonly AnyRef[] {
  const connections = routingOf(world)?.connections ?? [];
  return connections.map(({ id }) => systemAccount("clearing", currency, id));
}
