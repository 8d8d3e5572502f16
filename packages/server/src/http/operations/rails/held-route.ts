/** Routes as orders that may wait for another owner: with the connection that they lead to as it was shown. */
import type { Static } from "typebox";
import type { CreateRailRouteInput } from "../../../domain/rails/routes/create-rail-route.ts";
import type { UpdateRailRouteInput } from "../../../domain/rails/routes/update-rail-route.ts";
import { type JsonObject, withoutUndefined } from "../../../std/json.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import type { CreateRouteBody, UpdateRouteBody } from "./routes.ts";

const DEFAULT_PRIORITY = 100;

interface OfConnection {
  /** The connection that payments are sent to, when the order was asked for. */
  readonly connection?: JsonObject | undefined;
}

type CreateRouteContent = Static<typeof CreateRouteBody> & OfConnection;

export function createRouteInput(content: CreateRouteContent) {
  return { ...newRoute(content), shown: content.connection };
}

export function newRoute(body: Static<typeof CreateRouteBody>): CreateRailRouteInput {
  return {
    name: body.name,
    priority: body.priority ?? DEFAULT_PRIORITY,
    direction: body.direction,
    currency: body.currency,
    accountTypes: body.accountTypes ?? null,
    paymentRails: body.paymentRails ?? null,
    minMinor: minorOf(body.minAmount),
    maxMinor: minorOf(body.maxAmount),
    connectionId: requireRouteConnection(body.connectionId),
    enabled: body.enabled ?? true,
    fallbackAfterSeconds: body.fallbackAfterSeconds ?? null,
  };
}

type UpdateRouteContent = Static<typeof UpdateRouteBody> &
  OfConnection & { readonly routeId: string };

export function updateRouteInput({ routeId, connection, ...body }: UpdateRouteContent) {
  return {
    routeId: requireId("RailRoute", routeId, "REFERENCE_NOT_FOUND"),
    change: routeChange(body),
    shown: connection,
  };
}

export function routeChange(body: Static<typeof UpdateRouteBody>): UpdateRailRouteInput["change"] {
  const { minAmount, maxAmount, connectionId } = body;
  return withoutUndefined({
    name: body.name,
    priority: body.priority,
    accountTypes: body.accountTypes,
    paymentRails: body.paymentRails,
    enabled: body.enabled,
    fallbackAfterSeconds: body.fallbackAfterSeconds,
    minMinor: minAmount === undefined ? undefined : minorOf(minAmount),
    maxMinor: maxAmount === undefined ? undefined : minorOf(maxAmount),
    connectionId: connectionId === undefined ? undefined : requireRouteConnection(connectionId),
  }) as UpdateRailRouteInput["change"];
}

function minorOf(amount: number | null | undefined): bigint | null {
  return amount === null || amount === undefined ? null : BigInt(amount);
}

function requireRouteConnection(raw: string): string {
  return requireIdField("RailConnection", { field: "connectionId", raw }, "REFERENCE_NOT_FOUND");
}
