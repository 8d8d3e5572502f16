import type { Command } from "../../../engine/command.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { UMA_ADDRESS } from "../../payments/carrier/carrier.port.ts";
import {
  type RailConnection,
  railConnections,
  requireLiveConnection,
  touchConnection,
} from "../connections/rail-connection.ts";
import { liveRoutes, MOST_ROUTES, type RailRoute, railRoutes, requireRoute } from "./rail-route.ts";
import { putRouting, railRoutings, routingNeeds } from "./routing.ts";

export type CreateRailRouteInput = Omit<RailRoute, "id" | "createdAt" | "updatedAt" | "deletedAt">;

/**
 * Adds a route. Refuses, in this order: an unknown connection, an archived one, a currency that the connection does not have, what a route
 * of invoices cannot have, a minimum above the maximum, more routes than `MOST_ROUTES`.
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
 * archived one, a connection without the route's currency, what a route of invoices cannot have, a minimum above the maximum.
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

interface DeleteRailRouteInput {
  readonly routeId: string;
}

/** Deletes a route; payments that took it keep their connection. Refuses an unknown route. */
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

/**
 * Refuses, in this order: a currency that the connection does not have, what a route of invoices cannot have, a minimum above the maximum.
 */
function refuseRoute(connection: RailConnection, route: CreateRailRouteInput): void {
  const { currencies } = connection;
  const { currency, minMinor, maxMinor } = route;
  if (!currencies.includes(currency)) {
    throw invalidField(
      "currency",
      `is no currency of the connection, which has ${currencies.join(", ")}`,
    );
  }
  refuseOfInvoices(connection, route);
  if (minMinor !== null && maxMinor !== null && minMinor > maxMinor) {
    throw invalidField("minAmount", "must not be above maxAmount");
  }
}

/**
 * Refuses, of a route of invoices, in this order: account types other than UMA_ADDRESS, rails, a fallback, because an invoice is paid by
 * its layer alone, and a connection without a connector.
 */
function refuseOfInvoices(
  { kind }: RailConnection,
  { direction, accountTypes, paymentRails, fallbackAfterSeconds }: CreateRailRouteInput,
): void {
  const paysInvoices = accountTypes?.includes(UMA_ADDRESS) === true;
  const of = direction === "INVOICE" ? "INVOICE" : UMA_ADDRESS;
  if (direction === "INVOICE" && accountTypes !== null)
    throw invalidField("accountTypes", "must not be given for INVOICE");
  if (paysInvoices && direction !== "OUT")
    throw invalidField("accountTypes", `${UMA_ADDRESS} is for OUT alone`);
  if (accountTypes !== null && paysInvoices && accountTypes.length > 1)
    throw invalidField("accountTypes", `must hold nothing beside ${UMA_ADDRESS}`);
  if (direction !== "INVOICE" && !paysInvoices) return;
  if (paymentRails !== null) throw invalidField("paymentRails", `must not be given for ${of}`);
  if (fallbackAfterSeconds !== null)
    throw invalidField("fallbackAfterSeconds", `must not be given for ${of}`);
  if (kind !== "HTTP")
    throw invalidField("connectionId", `is of the kind ${kind}; only HTTP settles invoices`);
}
