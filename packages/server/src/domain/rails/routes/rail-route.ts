/** A route: which payments a connection carries. The route with the lowest priority that fits wins; ties go to the older one. */

import type { Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import { liveFinderOf } from "../../../tables/find-row.ts";
import { listerOf } from "../../../tables/list-query.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";

import type { RouteDirection } from "../../payments/carrier/carrier.port.ts";

const columns = {
  id: fixed("uuid"),
  name: mutable("text"),
  priority: mutable("int4"),
  direction: fixed<RouteDirection>("text"),
  currency: fixed("text"),
  /** Null: accounts of any type but UMA_ADDRESS; always null for INVOICE. */
  accountTypes: mutable<readonly string[] | null>("json"),
  paymentRails: mutable<readonly string[] | null>("json"),
  minMinor: mutable<bigint | null>("int8"),
  maxMinor: mutable<bigint | null>("int8"),
  connectionId: mutable("uuid"),
  enabled: mutable("bool"),
  fallbackAfterSeconds: mutable<number | null>("int4"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable<number | null>("time"),
};

export interface RailRoute extends RowOf<typeof columns> {}

export const railRoutes = defineTable<RailRoute>("rail_routes", columns);

export const findRoute = liveFinderOf(railRoutes);
export const listRoutes = listerOf(railRoutes);

export const liveRoutes = defineSelection(railRoutes, {
  name: "live",
  sql: "t.deleted_at is null",
  holds: ({ deletedAt }) => deletedAt === null,
});

export const MOST_ROUTES = 1_000;

export function toRouteId(id: string): string {
  return toWireId("RailRoute", id);
}

export function requireRoute(world: Loaded, id: string): RailRoute {
  const route = world.find(railRoutes.ref(id));
  if (route === undefined || route.deletedAt !== null) throw new Refusal("REFERENCE_NOT_FOUND");
  return route;
}
