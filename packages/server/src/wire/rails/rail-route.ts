import Type from "typebox";
import { routeDirections } from "../../domain/payments/carrier/carrier.port.ts";
import { toConnectionId } from "../../domain/rails/connections/rail-connection.ts";
import { type RailRoute, toRouteId } from "../../domain/rails/routes/rail-route.ts";
import { notTakenReasons } from "../../domain/rails/routes/routing.ts";
import { toIso } from "../../std/clock.ts";
import { requestAmount } from "../../validation/schema.ts";
import { currencyField, DateTimeSchema, filledText, optional } from "../fields.ts";
import { listedText } from "../value-lists.ts";
import { accountTypesField, paymentRailsField } from "./rail-connection.ts";

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The members of a route that can be changed; null does not narrow it. */
export const routeMembers = {
  name: filledText(80),
  priority: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: "The lowest that fits is taken; of equal ones the older route.",
  }),
  accountTypes: orNull(accountTypesField),
  paymentRails: orNull(paymentRailsField),
  minAmount: orNull(requestAmount()),
  maxAmount: orNull(requestAmount()),
  connectionId: Type.String({ description: "`RailConnection:<uuid>`" }),
  enabled: Type.Boolean(),
  fallbackAfterSeconds: orNull(
    Type.Integer({
      minimum: 60,
      maximum: 86_400,
      description:
        "After this time the next route takes a payment that is still queued because its connection is paused or degraded.",
    }),
  ),
};

export const routeDirectionField = Type.Enum([...routeDirections], {
  description:
    "`OUT` pays, `PULL` collects, `FUNDING` is for instructions by which money comes in.",
});

export const RailRouteSchema = Type.Object(
  {
    id: Type.String({ description: "`RailRoute:<uuid>`" }),
    name: Type.String(),
    priority: Type.Integer(),
    direction: Type.Enum([...routeDirections]),
    currency: listedText("CurrencyCode"),
    accountTypes: Type.Optional(Type.Array(Type.String())),
    paymentRails: Type.Optional(Type.Array(Type.String())),
    minAmount: Type.Optional(Type.Integer()),
    maxAmount: Type.Optional(Type.Integer()),
    connectionId: Type.String(),
    enabled: Type.Boolean(),
    fallbackAfterSeconds: Type.Optional(Type.Integer()),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "RailRoute" },
);

export function routeJson(route: RailRoute): string {
  const { id, name, priority, direction, currency, minMinor, maxMinor, enabled } = route;
  return JSON.stringify({
    id: toRouteId(id),
    name,
    priority,
    direction,
    currency,
    ...optional("accountTypes", route.accountTypes),
    ...optional("paymentRails", route.paymentRails),
    ...optional("minAmount", minMinor === null ? null : Number(minMinor)),
    ...optional("maxAmount", maxMinor === null ? null : Number(maxMinor)),
    connectionId: toConnectionId(route.connectionId),
    enabled,
    ...optional("fallbackAfterSeconds", route.fallbackAfterSeconds),
    createdAt: toIso(route.createdAt),
    updatedAt: toIso(route.updatedAt),
  });
}

export const railRouteExample = {
  id: "RailRoute:019a4f00-0000-7000-8000-000000000022",
  name: "Dollars by ACH",
  priority: 100,
  direction: "OUT",
  currency: "USD",
  paymentRails: ["ACH"],
  connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
  enabled: true,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const createRouteExample = {
  name: "Dollars by ACH",
  direction: "OUT",
  currency: "USD",
  paymentRails: ["ACH"],
  connectionId: railRouteExample.connectionId,
};

export const resolveBody = Type.Object({
  direction: routeDirectionField,
  currency: currencyField(),
  accountType: listedText("AccountType", { minLength: 1, maxLength: 64 }),
  paymentRail: Type.Optional(listedText("PaymentRail", { maxLength: 64 })),
  amount: requestAmount(),
});

export const resolveExample = {
  direction: "OUT",
  currency: "USD",
  accountType: "USD_ACCOUNT",
  amount: 12_500,
};

export const ResolutionSchema = Type.Object(
  {
    paymentRail: Type.Optional(
      Type.String({
        description: "The rail that is taken; absent when no route takes the payment.",
      }),
    ),
    candidates: Type.Array(
      Type.Object({
        routeId: Type.String(),
        connectionId: Type.String(),
        taken: Type.Boolean(),
        reason: Type.Enum([...notTakenReasons]),
      }),
      { description: "In the order in which they are tried, with the reason of each." },
    ),
  },
  { $id: "RailResolution" },
);
