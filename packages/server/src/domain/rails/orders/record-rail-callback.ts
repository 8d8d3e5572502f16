import type { Command, Loaded, World } from "../../../engine/command.ts";
import { Refusal, wrongState } from "../../../engine/refusal.ts";
import { isConnectionCurrency } from "../../../money/currency.ts";
import { toIso } from "../../../std/clock.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { noteExchange } from "../connections/exchange-health.ts";
import {
  MOST_UNKNOWN_KEPT,
  putConnection,
  type RailConnection,
  railConnections,
} from "../connections/rail-connection.ts";
import { bookEntry, entryNeeds } from "../entries/book-entry.ts";
import { foreignCurrency } from "../entries/create-rail-entry.ts";
import type { ToldEntry } from "../entries/rail-entry.ts";
import { takeToldReport, toldReportNeeds } from "../entries/reported-return.ts";
import { railRoutings } from "../routes/routing.ts";
import type { ToldByCallback } from "./rail-callbacks.port.ts";
import { railPayments } from "./rail-payment.ts";

export interface RecordRailCallbackInput {
  readonly connectionId: string;
  readonly told: ToldByCallback;
}

/** `unknown-payment`: this connection has no payment with the id; the report is only kept. `known-entry`: it was booked before. */
export type CallbackTaken = "taken" | "unknown-payment" | "known-entry";

/**
 * Records a connector's callback, which can touch only payments and books of its own connection. Refuses, in this order: an entry of a
 * connection that was not activated, because its entries count only from its activation on; one in an unknown currency, one whose id named
 * another line, and one for which the books have no room.
 */
export const recordRailCallback: Command<RecordRailCallbackInput, CallbackTaken> = {
  name: "record-rail-callback",
  needs: (world, { connectionId, told }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...toldNeeds(world, connectionId, told),
  ],
  decide(world, { connectionId, told }) {
    const connection = world.get(railConnections.ref(connectionId));
    if (told.kind === "entry") return takeEntry(world, connection, told.entry);
    noteExchange(world, connection, { kind: "good" });
    const payment = world.find(railPayments.ref(told.paymentId));
    if (payment === undefined || payment.connectionId !== connectionId) {
      keepUnknown(world, connectionId, told);
      return "unknown-payment";
    }
    takeToldReport(world, payment, { report: told.report, source: "CALLBACK" });
    return "taken";
  },
};

function toldNeeds(world: Loaded, connectionId: string, told: ToldByCallback): readonly AnyRef[] {
  return told.kind === "entry"
    ? entryNeeds(world, { connectionId, told: told.entry })
    : toldReportNeeds(world, { ...told, connectionId });
}

/** The order may have been sent before an older backup was restored, so the report is kept for a person to see. */
function keepUnknown(
  world: World,
  connectionId: string,
  { paymentId, report }: Extract<ToldByCallback, { kind: "payment" }>,
): void {
  const connection = world.get(railConnections.ref(connectionId));
  const { count, latest } = connection.unknownPayments;
  const { status, reference } = report;
  const known = { paymentId, status, ...(reference === undefined ? {} : { reference }) };
  const kept = [{ ...known, at: toIso(world.at) }, ...latest].slice(0, MOST_UNKNOWN_KEPT);
  putConnection(world, { ...connection, unknownPayments: { count: count + 1, latest: kept } });
}

function takeEntry(world: World, connection: RailConnection, told: ToldEntry): CallbackTaken {
  const { id: connectionId, currencies, status } = connection;
  if (status === "SETUP") {
    throw wrongState({ object: "connection", status, needed: "ACTIVE", action: "told of money" });
  }
  if (!isConnectionCurrency(told.currency)) throw foreignCurrency(currencies);
  const booked = bookEntry(world, { connectionId, told }, "CALLBACK");
  if (booked.kind === "different") throw otherLine(booked.entry.bankReference);
  noteExchange(world, world.get(railConnections.ref(connectionId)), { kind: "good" });
  return booked.kind === "known" ? "known-entry" : "taken";
}

function otherLine(bankReference: string): Refusal {
  const message = `entry.id: ${bankReference} was told with another direction, currency or amount; an entry is never changed.`;
  return new Refusal("CONFLICT", { field: "entry.id" }, message);
}
