/**
 * Returns at a connector with the feature `settlesReturns`: its report is all that it tells of one. The line of the account outside is
 * booked from the report, in the commit that takes it, so that the books explain the balance that the connector tells.
 */
import type { Loaded, World } from "../../engine/command.ts";
import type { AnyRef } from "../../tables/tables.ts";
import { railConnections } from "../rail-connections/rail-connection.ts";
import { endToEndIdOf, type RailPayment, railPayments } from "../rail-payments/rail-payment.ts";
import type { RailReport } from "../rail-payments/rail-report.ts";
import { dayOf } from "../rail-payments/take-report.ts";
import { bookEntry, entryNeeds } from "./book-entry.ts";
import type { ToldEntry } from "./rail-entry.ts";

/** The rows that the line of a reported return can touch. */
export function reportedReturnNeeds(
  world: Loaded,
  {
    paymentId,
    connectionId,
    report,
  }: {
    readonly paymentId: string;
    readonly connectionId: string;
    readonly report: RailReport | undefined;
  },
): readonly AnyRef[] {
  if (report?.status !== "returned") return [];
  const payment = world.find(railPayments.ref(paymentId));
  const isAlone = world.find(railConnections.ref(connectionId))?.features?.settlesReturns === true;
  if (payment?.connectionId !== connectionId || !isAlone) return [];
  return entryNeeds(world, { connectionId, told: lineOf(payment, "") });
}

/** Books the line of an order that a report has just returned. A collection that had not settled moved nothing outside. */
export function bookReportedReturn(world: World, before: RailPayment, after: RailPayment): void {
  const { connectionId, direction, returnedEntryId } = after;
  const { features } = world.get(railConnections.ref(connectionId));
  if (features?.settlesReturns !== true) return;
  const isReturned = after.state === "RETURNED" && before.state !== "RETURNED";
  const hasMoved = direction !== "PULL" || before.state === "SETTLED";
  if (!isReturned || !hasMoved || returnedEntryId !== null) return;
  bookEntry(world, { connectionId, told: lineOf(after, dayOf(world.at)) }, "REPORT");
}

function lineOf(payment: RailPayment, bookedOn: string): ToldEntry {
  const { id, direction, currency, amountMinor, returnedMinor } = payment;
  return {
    bankReference: `RETURN ${endToEndIdOf(id)}`,
    direction: direction === "PULL" ? "DEBIT" : "CREDIT",
    currency,
    amountMinor: returnedMinor ?? amountMinor,
    bookedOn,
    bookedAt: null,
    valueDate: null,
    reference: null,
    remittance: null,
    payer: null,
    virtualAccount: null,
    instructionId: undefined,
    paymentId: id,
    returnOf: undefined,
    references: [],
  };
}
