/**
 * An item: money in a connection's suspense account, because nothing says what it is for or no account takes it. It is OPEN until a person says what it is, once and in
 * full. Its age is told after 1, 5 and 20 banking days of its connection.
 */
import type { World } from "../../engine/command.ts";
import { toWireId } from "../../std/ids.ts";
import { countedBy } from "../../tables/facets.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { defineLookup, defineTable, fixed, mutable } from "../../tables/tables.ts";
import { scheduleJob } from "../job-kinds.ts";
import { afterBankingDays } from "../rail-connections/calendar.ts";
import { railConnections, touchConnection } from "../rail-connections/rail-connection.ts";
import type { RailPayment } from "../rail-payments/rail-payment.ts";
import type { EntryDirection, RailEntry } from "./rail-entry.ts";

export const itemReasons = [
  // No order is named.
  "UNREFERENCED",
  // The order has another amount.
  "AMOUNT_DIFFERS",
  // Another entry has booked the order, or its return.
  "ALREADY_BOOKED",
  // The order is in a state that the entry contradicts.
  "CONTRADICTS_ORDER",
  // The account that the money is for is closed.
  "ACCOUNT_CLOSED",
  // The account that the money is for has no room for it.
  "ACCOUNT_FULL",
  // The customer that the money is for was deleted.
  "CUSTOMER_DELETED",
  // A settled collection was taken back after some of it was given back to its payer.
  "COLLECTION_RETURNED",
  // A payout came back without a charge that a bank kept.
  "SHORT_RETURN",
] as const;
export type ItemReason = (typeof itemReasons)[number];

export const itemStates = ["OPEN", "RESOLVED"] as const;
export type ItemState = (typeof itemStates)[number];

export const partKinds = [
  "ACCOUNT",
  "PAYMENT",
  "RECEIVABLE",
  "FX",
  "OWN_FUNDS",
  "DUPLICATE_OF",
] as const;
/** What a line was to an order. */
export const partOutcomes = ["SETTLED", "RETURNED"] as const;
export type PartOutcome = (typeof partOutcomes)[number];

export type PartKind = (typeof partKinds)[number];

/** A part of an item as it was resolved: amounts are text, because JSON has no whole numbers of this size. */
export type ResolvedPart = { readonly minor: string } & (
  | { readonly kind: "ACCOUNT"; readonly accountId: string; readonly transactionId: string }
  | { readonly kind: "PAYMENT"; readonly paymentId: string; readonly outcome: PartOutcome }
  | { readonly kind: "RECEIVABLE"; readonly receivableId: string }
  | { readonly kind: "FX" }
  | { readonly kind: "OWN_FUNDS"; readonly label: string }
  | { readonly kind: "DUPLICATE_OF"; readonly entryId: string }
);

export type Resolution = {
  readonly parts: readonly ResolvedPart[];
  readonly note: string;
  /** `token <id>` */
  readonly by: string;
};

export interface RailItem {
  readonly id: string;
  readonly connectionId: string;
  /** The entry that nothing explains; null for an item of an order. */
  readonly entryId: string | null;
  /** The order that came back; null for an item of an entry. */
  readonly paymentId: string | null;
  readonly reason: ItemReason;
  readonly direction: EntryDirection;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly state: ItemState;
  /** The last age that was told. */
  readonly agedDays: number;
  /** The job that tells the next age; null after the last one. */
  readonly jobId: string | null;
  readonly resolution: Resolution | null;
  readonly resolvedAt: number | null;
  readonly createdAt: number;
}

export const itemStateFacet: Facet<Pick<RailItem, "state">> = {
  name: "state",
  sql: "t.state",
  of: ({ state }) => state,
};

export const railItems = defineTable<RailItem>(
  "rail_items",
  {
    id: fixed("uuid"),
    connectionId: fixed("uuid"),
    entryId: fixed("uuid"),
    paymentId: fixed("uuid"),
    reason: fixed("text"),
    direction: fixed("text"),
    currency: fixed("text"),
    amountMinor: fixed("int8"),
    state: mutable("text"),
    agedDays: mutable("int4"),
    jobId: mutable("uuid"),
    resolution: mutable("json"),
    resolvedAt: mutable("time"),
    createdAt: fixed("time"),
  },
  { isFinal: ({ state }) => state !== "OPEN", counted: countedBy<RailItem>(itemStateFacet) },
);

export const itemOfEntry = defineLookup(railItems, { by: "entryId" });

export function toRailItemId(id: string): string {
  return toWireId("RailItem", id);
}

export interface RailItemSubject {
  readonly kind: "rail-item";
  readonly id: string;
  readonly item: RailItem;
}

export function railItemSubject(item: RailItem): RailItemSubject {
  return { kind: "rail-item", id: toRailItemId(item.id), item };
}

type NewItem = Pick<
  RailItem,
  "connectionId" | "entryId" | "paymentId" | "reason" | "direction" | "currency" | "amountMinor"
>;

export function openItem(world: World, entry: RailEntry, reason: ItemReason): RailItem {
  const { id: entryId, connectionId, direction, currency, amountMinor } = entry;
  const origin = { connectionId, entryId, paymentId: null };
  return open(world, { ...origin, reason, direction, currency, amountMinor });
}

/** Of money that came back for an order. */
export function openItemOfOrder(
  world: World,
  of: {
    readonly payment: Pick<RailPayment, "id" | "connectionId" | "currency">;
    readonly reason: ItemReason;
    readonly amountMinor: bigint;
  },
): RailItem {
  const { payment, reason, amountMinor } = of;
  const { id: paymentId, connectionId, currency } = payment;
  const origin = { connectionId, entryId: null, paymentId };
  return open(world, { ...origin, reason, direction: "CREDIT", currency, amountMinor });
}

function open(world: World, item: NewItem): RailItem {
  const id = world.newId();
  const { connectionId } = item;
  const opened = world.put(railItems, {
    id,
    ...item,
    state: "OPEN",
    agedDays: 0,
    jobId: scheduleAge(world, { id, connectionId, createdAt: world.at }, 0),
    resolution: null,
    resolvedAt: null,
    createdAt: world.at,
  });
  world.emit("RAIL_ITEM.OPEN", railItemSubject(opened));
  // A connection is archived only as it was when its open items were counted.
  touchConnection(world, connectionId);
  return opened;
}

/** Ages that are told, in banking days. */
export const TOLD_AGES: readonly number[] = [1, 5, 20];

/** Schedules the job that tells the age after this one; null after the last. Needs the connection. */
export function scheduleAge(
  world: World,
  { id, connectionId, createdAt }: Pick<RailItem, "id" | "connectionId" | "createdAt">,
  toldDays: number,
): string | null {
  const days = TOLD_AGES.find((age) => age > toldDays);
  if (days === undefined) return null;
  const connection = world.get(railConnections.ref(connectionId));
  const dueAt = afterBankingDays(connection, createdAt, days);
  return scheduleJob(world, { kind: "age-rail-item", payload: { itemId: id }, dueAt });
}
