/** Reads of entries and items. */
import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  listPage,
  tableSource,
} from "../../../tables/list-query.ts";
import { type RailEntry, railEntries } from "./rail-entry.ts";
import { type RailItem, railItems } from "./rail-item.ts";

const entryById = {
  name: "rail_entries/get",
  text:
    `select ${railEntries.selectList("t")} from rail_entries t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findRailEntry(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<RailEntry | undefined> {
  const [entry] = await reads.rows(railEntries, entryById, [platformId, id]);
  return entry;
}

const entries = tableSource(railEntries);

export function listRailEntries(reads: Reads, query: ListQuery): Promise<ListPage<RailEntry>> {
  return listPage(reads, entries, query);
}

const itemById = {
  name: "rail_items/get",
  text:
    `select ${railItems.selectList("t")} from rail_items t ` +
    "where t.platform_id = $1::uuid and t.id = $2::uuid",
};

export async function findRailItem(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<RailItem | undefined> {
  const [item] = await reads.rows(railItems, itemById, [platformId, id]);
  return item;
}

const items = tableSource(railItems);

export function listRailItems(reads: Reads, query: ListQuery): Promise<ListPage<RailItem>> {
  return listPage(reads, items, query);
}
