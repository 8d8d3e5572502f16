import type { Command } from "../../../engine/command.ts";
import {
  railConnections,
  requireLiveConnection,
  touchConnection,
} from "../connections/rail-connection.ts";
import { type RailRoute, railRoutes, requireRoute } from "./rail-route.ts";
import { refuseRoute } from "./refuse-route.ts";
import { putRouting, railRoutings, routingNeeds } from "./routing.ts";

/** Absent members stay; the direction and the currency of a route are fixed. */
export interface UpdateRailRouteInput {
  readonly routeId: string;
  readonly change: Partial<
    Pick<
      RailRoute,
      | "name"
      | "priority"
      | "accountTypes"
      | "paymentRails"
      | "minMinor"
      | "maxMinor"
      | "connectionId"
      | "enabled"
      | "fallbackAfterSeconds"
    >
  >;
}

/**
 * Changes a route for payments that are accepted from now on. Refuses, in this order: an unknown route, an unknown connection, an
 * archived one, a connection without the route's currency, a minimum above the maximum.
 */
export const updateRailRoute: Command<UpdateRailRouteInput, RailRoute> = {
  name: "update-rail-route",
  needs(world, { routeId, change }) {
    const route = world.find(railRoutes.ref(routeId));
    const connectionId = change.connectionId ?? route?.connectionId;
    return [
      railRoutes.ref(routeId),
      railRoutings.ref(world.platformId),
      ...(connectionId === undefined ? [] : [railConnections.ref(connectionId)]),
      ...(route === undefined ? [] : [railConnections.ref(route.connectionId)]),
      ...routingNeeds,
    ];
  },
  decide(world, { routeId, change }) {
    const route = requireRoute(world, routeId);
    const next = { ...route, ...change, updatedAt: world.at };
    refuseRoute(requireLiveConnection(world, next.connectionId, "used by a route"), next);
    const changed = world.put(railRoutes, next);
    touchConnection(world, route.connectionId);
    putRouting(world);
    return changed;
  },
};
