import Type, { type Static } from "typebox";
import { isAccountType, railsOfType } from "../../../domain/accounts/external/account-types.ts";
import {
  routeDirections,
  UMA_ADDRESS,
  type Wanted,
} from "../../../domain/payments/carrier/carrier.port.ts";
import { UMA_RAIL } from "../../../domain/payments/transactions/delivery.ts";
import {
  createRouteOrder,
  updateRouteOrder,
} from "../../../domain/people/approvals/held-control.ts";
import { toConnectionId } from "../../../domain/rails/connections/rail-connection.ts";
import { findRoute, listRoutes, toRouteId } from "../../../domain/rails/routes/rail-route.ts";
import {
  type CreateRailRouteInput,
  deleteRailRoute as deleteRailRouteCommand,
  type UpdateRailRouteInput,
} from "../../../domain/rails/routes/route-commands.ts";
import { findRouting, resolveRoute } from "../../../domain/rails/routes/routing.ts";
import { invalidField, invalidFields } from "../../../engine/refusal.ts";
import { type JsonObject, withoutUndefined } from "../../../std/json.ts";
import { currencyField, optionalMinor } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import { waitingForPeople } from "../../../wire/people/approval.ts";
import {
  createRouteExample,
  ResolutionSchema,
  resolveBody,
  resolveExample,
  routeDirectionField,
  routeMembers,
  wireRailRoute,
} from "../../../wire/rails/rail-route.ts";
import { submitHeld } from "../../approvals/submit-held.ts";
import { currencyParameter } from "../../request/filters.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byEnum, byId, byText } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { approvalEvents } from "../event-lists.ts";
import { shownConnectionOf } from "./connection-body.ts";

const DEFAULT_PRIORITY = 100;

interface OfConnection {
  /** The connection of the route, as it was when the order was requested. */
  readonly connection?: JsonObject | undefined;
}

type CreateRouteContent = Static<typeof CreateRouteBody> & OfConnection;

export function createRouteInput(content: CreateRouteContent) {
  return { ...newRoute(content), shown: content.connection };
}

function newRoute(body: Static<typeof CreateRouteBody>): CreateRailRouteInput {
  return {
    name: body.name,
    priority: body.priority ?? DEFAULT_PRIORITY,
    direction: body.direction,
    currency: body.currency,
    accountTypes: body.accountTypes ?? null,
    paymentRails: body.paymentRails ?? null,
    minMinor: optionalMinor(body.minAmount),
    maxMinor: optionalMinor(body.maxAmount),
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

function routeChange(body: Static<typeof UpdateRouteBody>): UpdateRailRouteInput["change"] {
  const { minAmount, maxAmount, connectionId } = body;
  return withoutUndefined({
    name: body.name,
    priority: body.priority,
    accountTypes: body.accountTypes,
    paymentRails: body.paymentRails,
    enabled: body.enabled,
    fallbackAfterSeconds: body.fallbackAfterSeconds,
    minMinor: minAmount === undefined ? undefined : optionalMinor(minAmount),
    maxMinor: maxAmount === undefined ? undefined : optionalMinor(maxAmount),
    connectionId: connectionId === undefined ? undefined : requireRouteConnection(connectionId),
  }) as UpdateRailRouteInput["change"];
}

function requireRouteConnection(raw: string): string {
  return requireIdField("RailConnection", { field: "connectionId", raw }, "REFERENCE_NOT_FOUND");
}

const routes = defineNoun({
  path: "/rails/routes",
  tag: "Rails",
  capability: "rails.read",
  ...wireRailRoute,
});

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

const createRailRoute = defineOperation({
  id: "createRailRoute",
  ...route("POST /rails/routes", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Create a rail route",
  description:
    "Which payments a connection carries. The connection is chosen in the commit that accepts a payment: the route with the lowest " +
    "priority that fits, whose connection carries the payment. A later change does not move payments that were accepted. At most 1,000. In production a route that is " +
    "enabled waits for another owner where the workspace has two.",
  body: CreateRouteBody,
  requestExample: createRouteExample,
  answers: {
    201: shown(routes, "The route."),
    202: waitingForPeople,
  },
  events: approvalEvents,
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT", "REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const input = newRoute(body);
    const { platformId } = principal;
    const connection = await shownConnectionOf(services, platformId, input.connectionId);
    return submitHeld(services, principal, {
      order: createRouteOrder,
      content: { ...body, connection },
      input,
      toAnswer: (route) => ({ status: 201, body: wireRailRoute.json(route) }),
      idempotency,
    });
  },
});

const listRailRoutes = listAll({
  ...routes,
  id: "listRailRoutes",
  summary: "List rail routes",
  where: [{ sql: "t.deleted_at is null" }],
  filters: {
    connectionId: byId("RailConnection", "t.connection_id"),
    direction: byEnum(routeDirections, "t.direction = ?::text"),
    currency: byText(currencyParameter, "t.currency = ?::text"),
  },
  list: listRoutes,
});

const resolveRailRoute = defineOperation({
  id: "resolveRailRoute",
  ...route("POST /rails/routes/resolve", "VIEW", "rails.read"),
  ignoresKey: true,
  tag: "Rails",
  summary: "Resolve a rail route",
  description:
    "Every route of this direction and currency, in the order in which they are tried, and why it is taken or not. Changes nothing. " +
    "Without `paymentRail` the account type's rails are tried in their order.",
  body: resolveBody,
  requestExample: resolveExample,
  answers: {
    200: {
      description: "The candidates; none of them is `taken` when no route takes the payment.",
      schema: ResolutionSchema,
      example: {
        paymentRail: "ACH",
        candidates: [
          {
            routeId: "RailRoute:019a4f00-0000-7000-8000-000000000022",
            connectionId: "RailConnection:019a4f00-0000-7000-8000-000000000021",
            taken: true,
            reason: "TAKEN",
          },
        ],
      },
    },
  },
  refusals: ["INVALID_INPUT", "INVALID_AMOUNT"],
  async handle({ principal, body }, { reads }: Services) {
    const wanted = wantedIn(body);
    const routing = await findRouting(reads, principal.platformId);
    const resolution = resolveRoute(routing, wanted);
    const candidates = resolution.candidates.map(({ routeId, connectionId, reason }) => ({
      routeId: toRouteId(routeId),
      connectionId: toConnectionId(connectionId),
      taken: reason === "TAKEN",
      reason,
    }));
    const taken = resolution.kind === "taken" ? { paymentRail: resolution.choice.paymentRail } : {};
    return { status: 200, body: JSON.stringify({ ...taken, candidates }) };
  },
});

function wantedIn(body: Static<typeof resolveBody>): Wanted {
  const { direction, currency, accountType, paymentRail, amount } = body;
  const amountMinor = BigInt(amount);
  const ofInvoice = { direction, currency, accountType: UMA_ADDRESS, amountMinor };
  if (direction === "INVOICE" && accountType !== undefined)
    throw invalidField("accountType", "must not be given for INVOICE");
  if (direction === "INVOICE" || (direction === "OUT" && accountType === UMA_ADDRESS)) {
    if (paymentRail !== undefined)
      throw invalidField("paymentRail", `must not be given for ${accountType ?? direction}`);
    return { ...ofInvoice, paymentRails: [UMA_RAIL] };
  }
  if (accountType === undefined) throw invalidField("accountType", "is needed");
  if (!isAccountType(accountType)) throw invalidField("accountType", "is no type of account");
  const paymentRails = paymentRail === undefined ? railsOfType(accountType) : [paymentRail];
  return { direction, currency, accountType, paymentRails, amountMinor };
}

const getRailRoute = getOne({
  ...routes,
  id: "getRailRoute",
  summary: "Get a rail route",
  param: "routeId",
  kind: "RailRoute",
  answer: "The route.",
  find: findRoute,
});

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

const updateRailRoute = defineOperation({
  id: "updateRailRoute",
  ...route("PATCH /rails/routes/{routeId}", "MANAGE", "rails.write"),
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
      schema: wireRailRoute.schema,
      example: { ...wireRailRoute.example, priority: 50, maxAmount: 1_000_000 },
    },
    202: waitingForPeople,
  },
  events: approvalEvents,
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
      toAnswer: ({ after }) => ({ status: 200, body: wireRailRoute.json(after) }),
      idempotency: undefined,
    });
  },
});

const deleteRailRoute = defineOperation({
  id: "deleteRailRoute",
  ...route("DELETE /rails/routes/{routeId}", "MANAGE", "rails.write"),
  tag: "Rails",
  summary: "Delete a rail route",
  description: "Payments that took it keep their connection.",
  params: Type.Object({ routeId: pathId("RailRoute") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  handle: async ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: deleteRailRouteCommand,
      input: { routeId: requireId("RailRoute", params.routeId, "REFERENCE_NOT_FOUND") },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

export const routeOperations = [
  createRailRoute,
  listRailRoutes,
  resolveRailRoute,
  getRailRoute,
  updateRailRoute,
  deleteRailRoute,
];
