import Type from "typebox";
import { createRailRoute as command } from "../../../domain/rail-routes/create-rail-route.ts";
import { currencyField } from "../../../wire/fields.ts";
import { requireIdField } from "../../../wire/ids.ts";
import {
  createRouteExample,
  RailRouteSchema,
  railRouteExample,
  routeDirectionField,
  routeJson,
  routeMembers,
} from "../../../wire/rails/rail-route.ts";
import { defineOperation } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

const DEFAULT_PRIORITY = 100;

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
    "priority that fits, whose connection carries the payment. A later change does not move payments that were accepted. At most 1,000.",
  body: Type.Object({
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
  }),
  requestExample: createRouteExample,
  answers: {
    201: { description: "The route.", schema: RailRouteSchema, example: railRouteExample },
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: async ({ principal, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command,
      input: {
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
      },
      toAnswer: (route) => ({ status: 201, body: routeJson(route) }),
      idempotency,
    }),
});

export function minorOf(amount: number | null | undefined): bigint | null {
  return amount === null || amount === undefined ? null : BigInt(amount);
}

export function requireRouteConnection(raw: string): string {
  return requireIdField("RailConnection", { field: "connectionId", raw }, "REFERENCE_NOT_FOUND");
}
