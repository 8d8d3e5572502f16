/**
 * An order that returns money: from suspense to the payer of an entry, or from a quote's money in `paid-in` to the account that it was
 * collected from. It goes through the connection that brought the money, is held like a payout above its ceiling, and is reported on like
 * any other order.
 */
import type { World } from "../../../engine/command.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import { beneficiaryReference } from "../../payments/transactions/delivery.ts";
import { touchConnection } from "../connections/rail-connection.ts";
import { connectionEntryOf } from "../routes/routing.ts";
import { startOf } from "./new-rail-payment.ts";
import { type Counterparty, orderedBy, putPayment, type RailPayment } from "./rail-payment.ts";

export interface BackOrder {
  readonly connectionId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly counterparty: Counterparty;
  readonly paymentRail: string;
  /** The transaction whose refund it is part of; null for money that belonged to none. */
  readonly transactionId: string | null;
  /** The item whose money it gives back; null for money that was collected. */
  readonly itemId: string | null;
  readonly originalEntryId: string | null;
}

export interface HowKnown {
  /** One token alone typed in the account, so another one must release the order. */
  readonly isTyped: boolean;
}

export function addBackOrder(
  world: World,
  order: BackOrder,
  { isTyped }: HowKnown = { isTyped: false },
): RailPayment {
  const { connectionId } = order;
  const connection = present(connectionEntryOf(world, connectionId), "the connection it came by");
  const id = world.newId();
  const at = toIso(world.at);
  const direction = "BACK";
  const start = startOf(world, { ...order, direction, paymentId: id, connection, isTyped });
  // The order needs no route, so only this touch tells an archiving that it exists.
  touchConnection(world, connectionId);
  return putPayment(world, {
    id,
    ...order,
    routeId: null,
    direction,
    ours: connection.account,
    reference: beneficiaryReference(id),
    remittance: null,
    invoice: null,
    ...orderedBy(world),
    requestedOn: at.slice(0, 10),
    ...start,
    isConflict: false,
    bankReference: null,
    sentAt: null,
    sentTo: null,
    settledOn: null,
    settledEntryId: null,
    returnedEntryId: null,
    movesNothing: false,
    untoldMinor: 0n,
    holdDays: 0,
    heldUntil: null,
    releaseJobId: null,
    returnedMinor: null,
    lastReport: null,
    history: [
      {
        state: start.state,
        at,
        by: `${world.actor.kind} ${world.actor.id}`,
        why: "money goes back",
      },
    ],
    recall: null,
    createdAt: world.at,
    updatedAt: world.at,
  });
}
