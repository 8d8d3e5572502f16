import Type from "typebox";
import { accountTypes } from "../../domain/accounts/external/account-types.ts";
import { routeDirections, UMA_ADDRESS } from "../../domain/payments/carrier/carrier.port.ts";
import type { RailRoute } from "../../domain/rails/routes/rail-route.ts";
import { notTakenReasons } from "../../domain/rails/routes/routing.ts";
import { requestAmount } from "../../validation/schema.ts";
import { currencyField, filledText } from "../fields.ts";
import { listedText } from "../value-lists.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { paymentRailsField } from "./rail-connection.ts";

const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const routeAccountTypes = Type.Array(Type.Enum([...accountTypes, UMA_ADDRESS]), {
  minItems: 1,
  maxItems: 60,
  uniqueItems: true,
  description:
    "Without it, accounts of any type. `UMA_ADDRESS`, alone, is for orders that pay an invoice of a UMA address: no other route carries them.",
});

/** The members of a route that can be changed; a null member does not restrict the route. */
export const routeMembers = {
  name: filledText(80),
  priority: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: "The lowest that fits is taken; of equal ones the older route.",
  }),
  accountTypes: orNull(routeAccountTypes),
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
    "`OUT` pays, `PULL` collects, `FUNDING` is for instructions by which money comes in, `INVOICE` makes invoices that other institutions pay.",
});

export const wireRailRoute = wireObject("RailRoute", ({ of, maybe }: Kit<RailRoute>) => ({
  id: of.id("RailRoute", { description: "`RailRoute:<uuid>`", example: 22 }),
  name: of.text({ example: "Dollars by ACH" }),
  priority: of.integer({ example: 100 }),
  direction: of.enum(routeDirections, { example: "OUT" }),
  currency: of.currency({ example: "USD" }),
  accountTypes: maybe.json(Type.Array(Type.String())),
  paymentRails: maybe.json(Type.Array(Type.String()), { example: ["ACH"] }),
  minAmount: maybe.integer({ from: "minMinor" }),
  maxAmount: maybe.integer({ from: "maxMinor" }),
  connectionId: of.id("RailConnection", { example: 21 }),
  enabled: of.boolean({ example: true }),
  fallbackAfterSeconds: maybe.integer(),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

export const createRouteExample = {
  name: "Dollars by ACH",
  direction: "OUT",
  currency: "USD",
  paymentRails: ["ACH"],
  connectionId: wireRailRoute.example.connectionId,
};

export const resolveBody = Type.Object({
  direction: routeDirectionField,
  currency: currencyField(),
  accountType: Type.Optional(
    listedText("AccountType", {
      minLength: 1,
      maxLength: 64,
      description:
        "`UMA_ADDRESS` for an order that pays an invoice. Needed, and not given for `INVOICE`.",
    }),
  ),
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
