import type { Command } from "../../../engine/command.ts";
import { railConnections, touchConnection } from "../connections/rail-connection.ts";
import { type RailRoute, railRoutes, requireRoute } from "./rail-route.ts";
import { putRouting, railRoutings, routingNeeds } from "./routing.ts";

export interface DeleteRailRouteInput {
  readonly routeId: string;
}

/** Takes a route away; payments that took it keep their connection. Refuses an unknown route. */
export const deleteRailRoute: Command<DeleteRailRouteInput, RailRoute> = {
  name: "delete-rail-route",
  needs(world, { routeId }) {
    const route = world.find(railRoutes.ref(routeId));
    return [
      railRoutes.ref(routeId),
      railRoutings.ref(world.platformId),
      ...(route === undefined ? [] : [railConnections.ref(route.connectionId)]),
      ...routingNeeds,
    ];
  },
  decide(world, { routeId }) {
    const route = requireRoute(world, routeId);
    const deleted = world.put(railRoutes, {
      ...route,
      enabled: false,
      updatedAt: world.at,
      deletedAt: world.at,
    });
    touchConnection(world, route.connectionId);
    putRouting(world);
    return deleted;
  },
};
