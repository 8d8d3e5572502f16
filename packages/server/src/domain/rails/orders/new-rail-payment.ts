import type { World } from "../../../engine/command.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import { beneficiaryNameIn } from "../../accounts/external/external-account.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { CarrierOrder, Choice } from "../../payments/carrier/carrier.port.ts";
import type { Asserter } from "../../payments/quotes/parties/quote-maker.ts";
import { beneficiaryReference } from "../../payments/transactions/delivery.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { isSentByJobs, type OrderDirection } from "../connections/rail-connection.ts";
import { askForMark } from "../marks/rail-mark.ts";
import { type ConnectionEntry, connectionEntryOf } from "../routes/routing.ts";
import { CONCURRENCY_DEFAULT, type ExchangeRoom } from "./exchange-room.port.ts";
import {
  isUnsent,
  maskedIdentifier,
  ORDER_SENT,
  orderedBy,
  putPayment,
  type RailPayment,
  showOrder,
  withState,
} from "./rail-payment.ts";

/**
 * Adds the order of a payment in the commit that accepts it, shows it on the transaction, and schedules what sends it. Where `hasRoom`, the
 * same commit marks the order as possibly sent, so that its job sends it without a commit of its own.
 */
export function addRailPayment(
  world: World,
  order: CarrierOrder,
  hasRoom: ExchangeRoom,
): RailPayment {
  const { transactionId, direction, choice, external, amountMinor, remittance } = order;
  const entry = connectionEntryOf(world, choice.connectionId);
  const connection = present(entry, "the connection of a route that was taken");
  const id = world.newId();
  const at = toIso(world.at);
  const start = startOf(world, { ...order, paymentId: id, connection });
  const accepted: RailPayment = {
    id,
    transactionId,
    connectionId: choice.connectionId,
    routeId: choice.routeId,
    direction,
    paymentRail: choice.paymentRail,
    currency: external.currency,
    amountMinor,
    counterparty: {
      accountType: external.accountType,
      accountInfo: external.accountInfo,
      name: beneficiaryNameIn(external.accountInfo),
      identifierMasked: maskedIdentifier(external.primaryIdentifier),
    },
    ours: connection.account,
    reference: beneficiaryReference(transactionId),
    remittance: remittance ?? null,
    invoice: order.invoice ?? null,
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
    returnedMinor: null,
    holdDays: direction === "PULL" ? connection.holdDays : 0,
    heldUntil: null,
    releaseJobId: null,
    lastReport: null,
    history: [
      { state: start.state, at, by: `${world.actor.kind} ${world.actor.id}`, why: "accepted" },
    ],
    recall: null,
    itemId: null,
    originalEntryId: null,
    createdAt: world.at,
    updatedAt: world.at,
  };
  const leaves = start.jobId !== null && leavesAtOnce(connection, hasRoom);
  const { baseUrl } = connection;
  const payment = putPayment(world, leaves ? asSent(world, accepted, baseUrl) : accepted);
  showOrder(world, payment, world.get(transactions.ref(transactionId)));
  if (payment.state === "QUEUED") scheduleFallback(world, payment, choice);
  if (isUnsent(payment)) scheduleLapse(world, payment);
  return payment;
}

function leavesAtOnce(
  { id, baseUrl, concurrency = CONCURRENCY_DEFAULT }: ConnectionEntry,
  hasRoom: ExchangeRoom,
): boolean {
  return baseUrl !== undefined && hasRoom({ id, concurrency });
}

/** The order marked as possibly sent to this address: from now on the connector is asked about it before it is sent again. */
export function asSent(
  world: World,
  payment: RailPayment,
  baseUrl: string | undefined,
): RailPayment {
  return {
    ...withState(world, payment, { state: "SENDING", why: ORDER_SENT }),
    sentAt: world.at,
    sentTo: baseUrl ?? null,
  };
}

/** The first state of an order. An outgoing one above its connection's ceiling is HELD until another token releases it. */
export function startOf(
  world: World,
  order: {
    readonly paymentId: string;
    readonly transactionId: string | null;
    readonly direction: OrderDirection;
    readonly amountMinor: bigint;
    readonly connection: ConnectionEntry;
    /** One token alone typed in the account, so the order is HELD whatever its amount. */
    readonly isTyped?: boolean;
    /** Who asked for the order, when it was not this command's actor. */
    readonly asker?: Asserter;
  },
): Pick<RailPayment, "state" | "jobId"> {
  const { direction, amountMinor, connection, paymentId, isTyped = false, asker } = order;
  const { id: connectionId, payoutCeiling } = connection;
  const isAbove =
    direction !== "PULL" && payoutCeiling !== null && amountMinor > BigInt(payoutCeiling);
  if (!isAbove && !isTyped) return { state: "QUEUED", jobId: scheduleSending(world, order) };
  askForMark(world, { connectionId, kind: "RELEASE", request: { paymentId } }, asker);
  return { state: "HELD", jobId: null };
}

/** The job that sends a payment; null when people send it, or while its connection is not active. */
export function scheduleSending(
  world: World,
  {
    paymentId,
    transactionId,
    connection,
  }: {
    readonly paymentId: string;
    readonly transactionId: string | null;
    readonly connection: Pick<ConnectionEntry, "kind" | "status">;
  },
): string | null {
  if (!isSentByJobs(connection) || connection.status !== "ACTIVE") return null;
  return scheduleJob(world, {
    kind: "carry-rail-payment",
    payload: { paymentId, ...(transactionId === null ? {} : { transactionId }) },
    dueAt: world.at,
  });
}

/** An order that was not sent when its invoice lapses is cancelled. */
function scheduleLapse(world: World, { id, invoice }: RailPayment): void {
  if (invoice === null) return;
  scheduleJob(world, {
    kind: "lapse-rail-payment",
    payload: { paymentId: id },
    dueAt: invoice.lapsesAt,
  });
}

export function scheduleFallback(world: World, { id }: RailPayment, choice: Choice): void {
  const { fallbackAfterSeconds, connectionId } = choice;
  if (fallbackAfterSeconds === null) return;
  scheduleJob(world, {
    kind: "fall-back-rail-payment",
    payload: { paymentId: id, connectionId },
    dueAt: world.at + fallbackAfterSeconds * 1_000,
  });
}
