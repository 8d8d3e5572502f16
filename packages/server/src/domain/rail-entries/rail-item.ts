/**
 * An item: money in a connection's suspense account whose purpose is unknown. It is OPEN until a person says what it is, once and in
 * full. Its age is told after 1, 5 and 20 days of which Saturdays and Sundays do not count.
 */
import type { World } from "../../engine/command.ts";
import { toWireId } from "../../std/ids.ts";
import { countedBy } from "../../tables/facets.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { defineLookup, defineTable, fixed, mutable } from "../../tables/tables.ts";
import { scheduleJob } from "../job-kinds.ts";
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
  // A settled collection was taken back.
  "COLLECTION_RETURNED",
] as const;
export type ItemReason = (typeof itemReasons)[number];

export const itemStates = ["OPEN", "RESOLVED"] as const;
export type ItemState = (typeof itemStates)[number];

export const partKinds = ["ACCOUNT", "OWN_FUNDS", "DUPLICATE_OF"] as const;
export type PartKind = (typeof partKinds)[number];

/** A part of an item as it was resolved: amounts are text, because JSON has no whole numbers of this size. */
export type ResolvedPart = { readonly minor: string } & (
  | { readonly kind: "ACCOUNT"; readonly accountId: string; readonly transactionId: string }
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
  readonly entryId: string;
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

export function openItem(world: World, entry: RailEntry, reason: ItemReason): RailItem {
  const { connectionId, direction, currency, amountMinor } = entry;
  const id = world.newId();
  const item = world.put(railItems, {
    id,
    connectionId,
    entryId: entry.id,
    reason,
    direction,
    currency,
    amountMinor,
    state: "OPEN",
    agedDays: 0,
    jobId: scheduleAge(world, { id, createdAt: world.at }, 0),
    resolution: null,
    resolvedAt: null,
    createdAt: world.at,
  });
  world.emit("RAIL_ITEM.OPEN", railItemSubject(item));
  return item;
}

/** Ages that are told, in days without Saturdays and Sundays. */
export const TOLD_AGES: readonly number[] = [1, 5, 20];

/** Schedules the job that tells the age after this one; null after the last. */
export function scheduleAge(
  world: World,
  { id, createdAt }: Pick<RailItem, "id" | "createdAt">,
  toldDays: number,
): string | null {
  const days = TOLD_AGES.find((age) => age > toldDays);
  if (days === undefined) return null;
  const dueAt = afterWorkingDays(createdAt, days);
  return scheduleJob(world, { kind: "age-rail-item", payload: { itemId: id }, dueAt });
}

const DAY_MS = 86_400_000;

/** The same time of day so many days later, in UTC, of which Saturdays and Sundays do not count. */
export function afterWorkingDays(from: number, days: number): number {
  let at = from;
  for (let left = days; left > 0; ) {
    at += DAY_MS;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return at;
}
