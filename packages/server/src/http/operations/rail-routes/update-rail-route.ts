import Type from "typebox";
import {
  updateRailRoute as command,
  type UpdateRailRouteInput,
} from "../../../domain/rail-routes/update-rail-route.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { withoutUndefined } from "../../../std/json.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId } from "../../../wire/ids.ts";
import {
  RailRouteSchema,
  railRouteExample,
  routeJson,
  routeMembers,
} from "../../../wire/rails/rail-route.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { minorOf, requireRouteConnection } from "./create-rail-route.ts";

export const updateRailRoute = defineOperation({
  id: "updateRailRoute",
  method: "PATCH",
  path: "/rails/routes/{routeId}",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Update a rail route",
  description:
    "For payments that are accepted from now on. Absent members stay; null takes a limit away. The direction and the currency are fixed.",
  params: Type.Object({ routeId: pathId("RailRoute") }),
  body: Type.Object({
    name: Type.Optional(routeMembers.name),
    priority: Type.Optional(routeMembers.priority),
    accountTypes: Type.Optional(routeMembers.accountTypes),
    paymentRails: Type.Optional(routeMembers.paymentRails),
    minAmount: Type.Optional(routeMembers.minAmount),
    maxAmount: Type.Optional(routeMembers.maxAmount),
    connectionId: Type.Optional(routeMembers.connectionId),
    enabled: Type.Optional(routeMembers.enabled),
    fallbackAfterSeconds: Type.Optional(routeMembers.fallbackAfterSeconds),
  }),
  requestExample: { priority: 50, maxAmount: 1_000_000 },
  answers: {
    200: {
      description: "The route as it is now.",
      schema: RailRouteSchema,
      example: { ...railRouteExample, priority: 50, maxAmount: 1_000_000 },
    },
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }, { engine }: Services) {
    const { minAmount, maxAmount, connectionId, ...others } = body;
    const change: UpdateRailRouteInput["change"] = withoutUndefined({
      name: others.name,
      priority: others.priority,
      accountTypes: others.accountTypes,
      paymentRails: others.paymentRails,
      enabled: others.enabled,
      fallbackAfterSeconds: others.fallbackAfterSeconds,
      minMinor: minAmount === undefined ? undefined : minorOf(minAmount),
      maxMinor: maxAmount === undefined ? undefined : minorOf(maxAmount),
      connectionId: connectionId === undefined ? undefined : requireRouteConnection(connectionId),
    }) as UpdateRailRouteInput["change"];
    if (Object.keys(change).length === 0) {
      throw invalidFields([{ field: "body", message: "must hold a member of the route" }]);
    }
    return submitForCaller(engine, principal, {
      command,
      input: { routeId: requireId("RailRoute", params.routeId, "REFERENCE_NOT_FOUND"), change },
      toAnswer: (route) => ({ status: 200, body: routeJson(route) }),
    });
  },
});
