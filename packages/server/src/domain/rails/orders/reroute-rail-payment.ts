import type { Command, Loaded, World } from "../../../engine/command.ts";
import { invalidField, Refusal, wrongState } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import type { Choice } from "../../payments/carrier/carrier.port.ts";
import {
  clearingNeeds,
  connectionEntryOf,
  railRoutings,
  resolveRoute,
  routingOf,
} from "../routes/routing.ts";
import { scheduleFallback, startOf } from "./new-rail-payment.ts";
import {
  askerOf,
  putPayment,
  type RailPayment,
  railPayments,
  requirePayment,
  withState,
} from "./rail-payment.ts";

export interface RerouteRailPaymentInput {
  readonly paymentId: string;
  /** Undefined: the next candidate. */
  readonly connectionId: string | undefined;
}

/**
 * Moves a payment that was not sent yet to another connection; it keeps its id. Refuses, in this order: an unknown payment, an unknown
 * connection, a payment that gives money back, one that is not QUEUED, no route to another connection (or to the named one) that takes it.
 */
export const rerouteRailPayment: Command<RerouteRailPaymentInput, RailPayment> = {
  name: "reroute-rail-payment",
  needs: rerouteNeeds,
  decide(world, { paymentId, connectionId }) {
    const payment = requirePayment(world, paymentId);
    if (connectionId !== undefined && connectionEntryOf(world, connectionId) === undefined) {
      throw new Refusal("REFERENCE_NOT_FOUND");
    }
    const { state, direction } = payment;
    if (direction === "BACK") {
      const message = "Money goes back by the connection that it came by; it is not rerouted.";
      throw new Refusal("CONFLICT", { direction }, message);
    }
    if (state !== "QUEUED") {
      const object = "rail payment";
      throw wrongState({ object, status: state, needed: "QUEUED", action: "rerouted" });
    }
    const choice = nextChoice(world, payment, connectionId);
    if (choice === undefined) {
      if (connectionId !== undefined) {
        throw invalidField("connectionId", "names no other connection that a route leads to");
      }
      throw new Refusal("CONFLICT", {}, "No route to another connection takes this payment.");
    }
    return moveToConnection(world, payment, { choice, why: "rerouted" });
  },
};

export interface FallBackInput {
  readonly paymentId: string;
  /** The connection whose fallback time has run out. */
  readonly connectionId: string;
  readonly jobId: string;
}

/**
 * Gives a payment to the next candidate when its connection has kept it queued for as long as its route allows, because it is paused or
 * degraded. Without another candidate it stays.
 */
export const fallBackRailPayment: Command<FallBackInput, RailPayment> = {
  name: "fall-back-rail-payment",
  needs: rerouteNeeds,
  decide(world, { paymentId, connectionId, jobId }) {
    world.cancel(jobId);
    const payment = world.get(railPayments.ref(paymentId));
    if (payment.state !== "QUEUED" || payment.connectionId !== connectionId) return payment;
    const entry = connectionEntryOf(world, connectionId);
    if (entry?.status === "ACTIVE") return payment;
    const choice = nextChoice(world, payment, undefined);
    const why = "its connection did not go on in time";
    return choice === undefined ? payment : moveToConnection(world, payment, { choice, why });
  },
};

/** Includes the clearing accounts, because a report in the same batch needs that of the next connection. */
function rerouteNeeds(
  world: Loaded,
  { paymentId }: Pick<RerouteRailPaymentInput, "paymentId">,
): readonly AnyRef[] {
  const payment = world.find(railPayments.ref(paymentId));
  return [
    railPayments.ref(paymentId),
    railRoutings.ref(world.platformId),
    ...(payment === undefined ? [] : clearingNeeds(world, payment.currency)),
  ];
}

function nextChoice(
  world: World,
  payment: RailPayment,
  only: string | undefined,
): Choice | undefined {
  const { direction, currency, counterparty, paymentRail, amountMinor, invoice } = payment;
  if (direction === "BACK") return undefined;
  const routing = routingOf(world);
  const routes = routing?.routes.filter(
    ({ connectionId }) => only === undefined || connectionId === only,
  );
  const found = resolveRoute(
    routing === undefined || routes === undefined ? undefined : { ...routing, routes },
    {
      direction,
      currency,
      accountType: counterparty.accountType,
      paymentRails: [paymentRail],
      amountMinor,
      ...(invoice === null
        ? {}
        : { asset: { layer: invoice.layer, identifier: invoice.assetIdentifier } }),
    },
    payment.connectionId,
  );
  return found.kind === "taken" ? found.choice : undefined;
}

function moveToConnection(
  world: World,
  payment: RailPayment,
  { choice, why }: { readonly choice: Choice; readonly why: string },
): RailPayment {
  if (payment.jobId !== null) world.cancel(payment.jobId);
  const entry = connectionEntryOf(world, choice.connectionId);
  const connection = present(entry, "the connection of a route that was taken");
  const asker = askerOf(world, payment);
  const start = startOf(world, { ...payment, paymentId: payment.id, connection, asker });
  const moved = putPayment(world, {
    ...withState(world, payment, { state: start.state, why }),
    connectionId: choice.connectionId,
    routeId: choice.routeId,
    ours: connection.account,
    jobId: start.jobId,
  });
  scheduleFallback(world, moved, choice);
  return moved;
}
