import Type from "typebox";
import { updateRouteOrder } from "../../../../domain/people/approvals/held-control.ts";
import { findRoute } from "../../../../domain/rails/routes/rail-route.ts";
import { invalidFields } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  RailRouteSchema,
  railRouteExample,
  routeJson,
  routeMembers,
} from "../../../../wire/rails/rail-route.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { shownConnectionOf } from "../connections/held-connection.ts";
import { routeChange } from "./held-route.ts";

export const UpdateRouteBody = Type.Object({
  name: Type.Optional(routeMembers.name),
  priority: Type.Optional(routeMembers.priority),
  accountTypes: Type.Optional(routeMembers.accountTypes),
  paymentRails: Type.Optional(routeMembers.paymentRails),
  minAmount: Type.Optional(routeMembers.minAmount),
  maxAmount: Type.Optional(routeMembers.maxAmount),
  connectionId: Type.Optional(routeMembers.connectionId),
  enabled: Type.Optional(routeMembers.enabled),
  fallbackAfterSeconds: Type.Optional(routeMembers.fallbackAfterSeconds),
});

export const updateRailRoute = defineOperation({
  id: "updateRailRoute",
  method: "PATCH",
  path: "/rails/routes/{routeId}",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Update a rail route",
  description:
    "For payments that are accepted from now on. Absent members stay; null takes a limit away. The direction and the currency are fixed. " +
    "In production a change by which more payments are sent this way waits for another owner where the workspace has two.",
  params: Type.Object({ routeId: pathId("RailRoute") }),
  body: UpdateRouteBody,
  requestExample: { priority: 50, maxAmount: 1_000_000 },
  answers: {
    200: {
      description: "The route as it is now.",
      schema: RailRouteSchema,
      example: { ...railRouteExample, priority: 50, maxAmount: 1_000_000 },
    },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }, services: Services) {
    const change = routeChange(body);
    if (Object.keys(change).length === 0) {
      throw invalidFields([{ field: "body", message: "must hold a member of the route" }]);
    }
    const routeId = requireId("RailRoute", params.routeId, "REFERENCE_NOT_FOUND");
    const { platformId } = principal;
    const route = await findRoute(services.reads, platformId, routeId);
    const to = change.connectionId ?? route?.connectionId;
    const connection =
      to === undefined ? undefined : await shownConnectionOf(services, platformId, to);
    return submitHeld(services, principal, {
      order: updateRouteOrder,
      content: { ...body, routeId: params.routeId, connection },
      input: { routeId, change },
      toAnswer: ({ after }) => ({ status: 200, body: routeJson(after) }),
      idempotency: undefined,
    });
  },
});
