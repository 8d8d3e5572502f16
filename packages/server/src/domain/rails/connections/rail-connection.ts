/**
 * A rail connection: one account outside, at a bank or a provider, through which a platform pays and collects. Its kind says how
 * orders get there: over HTTP to a connector, or by people who work off a queue.
 */

import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import type { JsonObject } from "../../../std/json.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";
import { connectionKinds } from "../../payments/carrier/carrier.port.ts";
import type { RailCalendar } from "./calendar.ts";

import type { FundingSettings } from "./funding-settings.ts";
import type { SettlementLayer } from "./settlement.ts";

/** SANDBOX: the layer that is built in, of a sandbox that exchanges messages of UMA with others, which no request attaches. */
export const everyConnectionKind = [...connectionKinds, "SANDBOX"] as const;
export type ConnectionKind = (typeof everyConnectionKind)[number];

/** Whether orders are sent by jobs, and not worked off by people. */
export function isSentByJobs({ kind }: { readonly kind: ConnectionKind }): boolean {
  return kind !== "MANUAL";
}

export const connectionStatuses = ["SETUP", "ACTIVE", "PAUSED", "DEGRADED", "ARCHIVED"] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** What a paused connection does with new payments. */
export const pauseModes = ["REFUSE", "QUEUE"] as const;
export type PauseMode = (typeof pauseModes)[number];

export const paymentDirections = ["OUT", "PULL"] as const;
export type PaymentDirection = (typeof paymentDirections)[number];

/** BACK: an order that returns money to its payer, through the connection that brought it. */
export const orderDirections = [...paymentDirections, "BACK"] as const;
export type OrderDirection = (typeof orderDirections)[number];

/** Payments that the connection carries. An absent limit means no limit. */
export type Capability = {
  /** BACK is only shown and not routed: such an order goes to the connection that brought the money. */
  readonly direction: OrderDirection;
  readonly currency: string;
  readonly accountTypes: readonly string[];
  readonly paymentRails: readonly string[];
  /** Whole numbers of the smallest unit. */
  readonly minAmount?: number;
  readonly maxAmount?: number;
};

export const connectorFeatures = [
  "cancel",
  "feed",
  "balance",
  "instructions",
  "settlesReturns",
  "invoices",
] as const;
/**
 * The features that a connector declares. `settlesReturns`: it reports a return without sending an entry for it. `invoices`: it makes and
 * pays invoices on its settlement layers.
 */
export type ConnectorFeatures = Readonly<Record<(typeof connectorFeatures)[number], boolean>>;

/** The settings of every kind; `connection-settings.ts` says which kind has which. */
export type ConnectionSettings = {
  readonly baseUrl?: string;
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly feed?: boolean;
  readonly pollSeconds?: number;
  readonly accountTypes?: readonly string[];
  readonly paymentRails?: readonly string[];
  readonly instructionsNote?: string;
  /** How many banking days collections are held after they have settled. */
  readonly holdDays?: number;
  /** See `feeCeilingOf`. By currency, in the smallest unit. */
  readonly feeCeilingBps?: number;
  readonly feeCeilingMinor?: Readonly<Record<string, number>>;
};

export const approvals = ["NONE", "FOUR_EYES"] as const;

/** Which acts need a second token. */
export type ConnectionControl = {
  /** FOUR_EYES: every mark, resolution and entry that is typed in. */
  readonly approval: (typeof approvals)[number];
  /** A payout above this amount is held until another token releases it. A decimal string; null for no ceiling. */
  readonly payoutCeiling: string | null;
  /** A credit to an account above this amount waits for a person. A decimal string; null for no ceiling. */
  readonly creditCeiling: string | null;
  /** The tokens that may type entries and balances in; null: all that may move money. */
  readonly importers: readonly string[] | null;
  /** A payout's return is taken without a person up to this many banking days after settlement; absent: USUAL_RETURN_DAYS. */
  readonly returnDays?: number;
};

/** Longer than the return of a credit transfer takes in any scheme. */
export const USUAL_RETURN_DAYS = 10;

export const NO_CONTROL: ConnectionControl = {
  approval: "NONE",
  payoutCeiling: null,
  creditCeiling: null,
  importers: null,
};

/**
 * The control of a production connection in a workspace with two people who may decide about payments: no line, mark or order counts on one
 * person's word. Only a change that another owner confirms replaces it.
 */
export const GUARDED_CONTROL: ConnectionControl = {
  approval: "FOUR_EYES",
  payoutCeiling: "0",
  creditCeiling: "0",
  importers: null,
};

export const secretNames = [
  "signingSecret",
  "callbackSecret",
  "previousSigningSecret",
  "previousCallbackSecret",
] as const;
export type SecretName = (typeof secretNames)[number];

/** What API answers show of a secret. */
export type SecretFact = { readonly setAt: string; readonly fingerprint: string };

export type ConnectionError = {
  readonly code: string;
  readonly message: string;
  readonly at: string;
};

/** A report of a payment that the connection does not have. */
export type UnknownReport = {
  readonly paymentId: string;
  readonly status: string;
  readonly reference?: string;
  readonly at: string;
};

export type UnknownPayments = {
  readonly count: number;
  /** The latest first, at most `MOST_UNKNOWN_KEPT`. */
  readonly latest: readonly UnknownReport[];
};

export const MOST_UNKNOWN_KEPT = 20;
export const NO_UNKNOWN_PAYMENTS: UnknownPayments = { count: 0, latest: [] };

/** An entry of the feed that could not be taken. */
export type RefusedEntry = {
  /** As the connector sent it, truncated; absent when it sent none. */
  readonly entryId?: string;
  readonly message: string;
};

export type RefusedEntries = {
  readonly count: number;
  /** The latest first, at most `MOST_REFUSED_KEPT`. */
  readonly latest: readonly (RefusedEntry & { readonly at: string })[];
};

export const MOST_REFUSED_KEPT = 20;
export const NO_REFUSED_ENTRIES: RefusedEntries = { count: 0, latest: [] };

const columns = {
  id: fixed("uuid"),
  name: mutable("text"),
  kind: fixed<ConnectionKind>("text"),
  status: mutable<ConnectionStatus>("text"),
  /** What happens to new payments while the connection is paused; REFUSE otherwise. */
  newPayments: mutable<PauseMode>("text"),
  currencies: mutable<readonly string[]>("json"),
  account: mutable<JsonObject>("json"),
  capabilities: mutable<readonly Capability[]>("json"),
  settings: mutable<ConnectionSettings>("json"),
  calendar: mutable<RailCalendar>("json"),
  control: mutable<ConnectionControl>("json"),
  /** What the sealed secrets are bound to. */
  sealId: fixed("text"),
  signingSecretSealed: mutable<string | null>("text"),
  callbackSecretSealed: mutable<string | null>("text"),
  previousSigningSecretSealed: mutable<string | null>("text"),
  previousCallbackSecretSealed: mutable<string | null>("text"),
  secretFacts: mutable<Readonly<Partial<Record<SecretName, SecretFact>>>>("json"),
  /** Failed exchanges in a row. */
  failures: mutable("int4"),
  lastError: mutable<ConnectionError | null>("json"),
  /** When a report was last taken, accurate to `REPORT_NOTED_EVERY_MS`. */
  lastReportAt: mutable<number | null>("time"),
  /** When entries or a balance were last imported, accurate to `IMPORT_NOTED_EVERY_MS`. */
  lastImportAt: mutable<number | null>("time"),
  /** Null before the connector has described itself, and for other kinds of connections. */
  features: mutable<ConnectorFeatures | null>("json"),
  /** The layers of its last description whose assets the connection can book; empty without the feature `invoices`. */
  settlement: mutable<readonly SettlementLayer[]>("json"),
  /** `path: sentence` of what was left out of the connector's last description; null for nothing. */
  descriptionFaults: mutable<readonly string[] | null>("json"),
  unknownPayments: mutable<UnknownPayments>("json"),
  refusedEntries: mutable<RefusedEntries>("json"),
  /** The job that reads the description of a connector, and probes a degraded one. */
  watchJobId: mutable<string | null>("uuid"),
  describedAt: mutable<number | null>("time"),
  /** The cursor after the last page of the connector's feed; null before the first page. */
  feedCursor: mutable<string | null>("text"),
  /** The job that reads the feed; null while the feed is off. */
  feedJobId: mutable<string | null>("uuid"),
  funding: mutable<FundingSettings>("json"),
  /** The time of the last `touchConnection`; null before the first. */
  touchedAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface RailConnection extends RowOf<typeof columns> {}

export const railConnections = defineTable<RailConnection>("rail_connections", columns);

export const liveConnections = defineSelection(railConnections, {
  name: "live",
  sql: "t.status <> 'ARCHIVED'",
  holds: ({ status }) => status !== "ARCHIVED",
});

export const MOST_CONNECTIONS = 100;

export function secretIdentity(platformId: string, sealId: string, name: SecretName): string {
  return `rail_connections.${name} ${platformId} ${sealId}`;
}

/** The column that holds a secret. */
export function sealedColumnOf(name: SecretName): `${SecretName}Sealed` {
  return `${name}Sealed`;
}

export function toConnectionId(id: string): string {
  return toWireId("RailConnection", id);
}

/** A connection that is not archived: REFERENCE_NOT_FOUND, or CONFLICT for an archived one. */
export function requireLiveConnection(world: Loaded, id: string, action: string): RailConnection {
  const connection = world.find(railConnections.ref(id));
  if (connection === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
  if (connection.status === "ARCHIVED") {
    const status = connection.status;
    throw wrongState({ object: "connection", status, needed: "live", action });
  }
  return connection;
}

export interface ConnectionSubject {
  readonly kind: "RailConnection";
  readonly id: string;
  readonly connection: RailConnection;
}

export function connectionSubject(connection: RailConnection): ConnectionSubject {
  return { kind: "RailConnection", id: toConnectionId(connection.id), connection };
}

/** Stores the connection with a new `updatedAt`; no two changes have the same time. */
export function putConnection(world: World, connection: RailConnection): RailConnection {
  const before = world.find(railConnections.ref(connection.id))?.updatedAt ?? 0;
  return world.put(railConnections, { ...connection, updatedAt: Math.max(world.at, before + 1) });
}

/** The shortest time between two notes of an import, so that the row is not written for each entry. */
const IMPORT_NOTED_EVERY_MS = 10_000;

/** Notes on the connection that an entry or a balance was imported. */
export function noteImport(world: World, id: string): RailConnection {
  const connection = world.get(railConnections.ref(id));
  const { lastImportAt } = connection;
  const isFresh = lastImportAt !== null && world.at - lastImportAt < IMPORT_NOTED_EVERY_MS;
  return isFresh ? connection : putConnection(world, { ...connection, lastImportAt: world.at });
}

/**
 * Notes a change of something that can block archiving: a route, an order, an item or a mark. No two touches have the same time, so a count
 * that was made before a touch is recognised as stale.
 */
export function touchConnection(world: World, id: string): void {
  const connection = world.find(railConnections.ref(id));
  if (connection === undefined) return;
  const touchedAt = Math.max(world.at, (connection.touchedAt ?? 0) + 1);
  putConnection(world, { ...connection, touchedAt });
}
