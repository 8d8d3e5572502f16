import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { railConnections, requireLiveConnection } from "../connections/rail-connection.ts";
import { liveRoutes, MOST_ROUTES, type RailRoute, railRoutes } from "./rail-route.ts";
import { refuseRoute } from "./refuse-route.ts";
import { putRouting, railRoutings, routingNeeds } from "./routing.ts";

export type CreateRailRouteInput = Omit<RailRoute, "id" | "createdAt" | "updatedAt" | "deletedAt">;

/**
 * Adds a route. Refuses, in this order: an unknown connection, an archived one, a currency that the connection does not have, a
 * minimum above the maximum, one route more than `MOST_ROUTES`.
 */
export const createRailRoute: Command<CreateRailRouteInput, RailRoute> = {
  name: "create-rail-route",
  needs: (world, { connectionId }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...routingNeeds,
  ],
  decide(world, input) {
    const connection = requireLiveConnection(world, input.connectionId, "used by a route");
    refuseRoute(connection, input);
    if (world.all(liveRoutes).length >= MOST_ROUTES) {
      const message = `The platform has ${MOST_ROUTES} routes: delete one first.`;
      throw new Refusal("CONFLICT", { limit: MOST_ROUTES }, message);
    }

    const route = world.put(railRoutes, {
      id: world.newId(),
      ...input,
      createdAt: world.at,
      updatedAt: world.at,
      deletedAt: null,
    });
    putRouting(world);
    return route;
  },
};
