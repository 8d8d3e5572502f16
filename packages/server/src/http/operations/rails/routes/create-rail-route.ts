import Type from "typebox";
import { createRouteOrder } from "../../../../domain/people/approvals/held-control.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import {
  createRouteExample,
  RailRouteSchema,
  railRouteExample,
  routeDirectionField,
  routeJson,
  routeMembers,
} from "../../../../wire/rails/rail-route.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { shownConnectionOf } from "../connections/held-connection.ts";
import { newRoute } from "./held-route.ts";

export const CreateRouteBody = Type.Object({
  name: routeMembers.name,
  priority: Type.Optional(routeMembers.priority),
  direction: routeDirectionField,
  currency: currencyField(),
  accountTypes: Type.Optional(routeMembers.accountTypes),
  paymentRails: Type.Optional(routeMembers.paymentRails),
  minAmount: Type.Optional(routeMembers.minAmount),
  maxAmount: Type.Optional(routeMembers.maxAmount),
  connectionId: routeMembers.connectionId,
  enabled: Type.Optional(routeMembers.enabled),
  fallbackAfterSeconds: Type.Optional(routeMembers.fallbackAfterSeconds),
});

export const createRailRoute = defineOperation({
  id: "createRailRoute",
  method: "POST",
  path: "/rails/routes",
  access: "MANAGE",
  capability: "rails.write",
  tag: "Rails",
  summary: "Create a rail route",
  description:
    "Which payments a connection carries. The connection is chosen in the commit that accepts a payment: the route with the lowest " +
    "priority that fits, whose connection carries the payment. A later change does not move payments that were accepted. At most 1,000. In production a route that is " +
    "enabled waits for another owner where the workspace has two.",
  body: CreateRouteBody,
  requestExample: createRouteExample,
  answers: {
    201: { description: "The route.", schema: RailRouteSchema, example: railRouteExample },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const input = newRoute(body);
    const { platformId } = principal;
    const connection = await shownConnectionOf(services, platformId, input.connectionId);
    return submitHeld(services, principal, {
      order: createRouteOrder,
      content: { ...body, connection },
      input,
      toAnswer: (route) => ({ status: 201, body: routeJson(route) }),
      idempotency,
    });
  },
});
