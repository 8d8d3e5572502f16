/** A route: which payments a connection carries. The route with the lowest priority that fits wins; ties go to the older one. */

import type { Loaded } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import { defineSelection, defineTable, fixed, mutable } from "../../../tables/tables.ts";
import type { RouteDirection } from "../../payments/carrier/carrier.port.ts";

export interface RailRoute {
  readonly id: string;
  readonly name: string;
  readonly priority: number;
  readonly direction: RouteDirection;
  readonly currency: string;
  /** Null: of any type. */
  readonly accountTypes: readonly string[] | null;
  readonly paymentRails: readonly string[] | null;
  readonly minMinor: bigint | null;
  readonly maxMinor: bigint | null;
  readonly connectionId: string;
  readonly enabled: boolean;
  readonly fallbackAfterSeconds: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
}

export const railRoutes = defineTable<RailRoute>("rail_routes", {
  id: fixed("uuid"),
  name: mutable("text"),
  priority: mutable("int4"),
  direction: fixed("text"),
  currency: fixed("text"),
  accountTypes: mutable("json"),
  paymentRails: mutable("json"),
  minMinor: mutable("int8"),
  maxMinor: mutable("int8"),
  connectionId: mutable("uuid"),
  enabled: mutable("bool"),
  fallbackAfterSeconds: mutable("int4"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  deletedAt: mutable("time"),
});

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
