/**
 * Returns at a connector with the feature `settlesReturns`, which reports a return without sending an entry. The commit that takes the
 * report books the account line from it, so that the books explain the balance that the connector reports.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { endToEndIdOf, type RailPayment, railPayments } from "../orders/rail-payment.ts";
import type { RailReport } from "../orders/rail-report.ts";
import { dayOf, reportNeeds, takeReport } from "../orders/take-report.ts";
import { bookEntry, entryNeeds } from "./book-entry.ts";
import { reportedReferences, type ToldEntry } from "./rail-entry.ts";

/** A connector's report about an order. */
export interface ToldReport {
  readonly paymentId: string;
  readonly connectionId: string;
  readonly report: RailReport | undefined;
}

/** The rows that `takeToldReport` can touch. */
export function toldReportNeeds(world: Loaded, told: ToldReport): readonly AnyRef[] {
  return [...reportNeeds(world, told.paymentId), ...returnLineNeeds(world, told)];
}

function returnLineNeeds(
  world: Loaded,
  { paymentId, connectionId, report }: ToldReport,
): readonly AnyRef[] {
  if (report?.status !== "returned") return [];
  const payment = world.find(railPayments.ref(paymentId));
  const isAlone = world.find(railConnections.ref(connectionId))?.features?.settlesReturns === true;
  if (payment?.connectionId !== connectionId || !isAlone) return [];
  const lines = [takenLine(payment, ""), asideLine(payment, { report, bookedOn: "" })];
  return lines.flatMap((told) => entryNeeds(world, { connectionId, told }));
}

/** Applies a connector's report, which may answer an order, an inquiry or a recall, or come by a callback. */
export function takeToldReport(
  world: World,
  payment: RailPayment,
  { report, source }: { readonly report: RailReport; readonly source: "CONNECTOR" | "CALLBACK" },
): RailPayment {
  const after = takeReport(world, payment, { report, source });
  // A second report of a return with another amount is a line of its own.
  if (after === payment && report.status !== "returned") return payment;
  bookReportedReturn(world, report, { before: payment, after });
  // The booked line may have stored its id in the payment.
  return world.get(railPayments.ref(payment.id));
}

/**
 * Books the line of an order that a report has just returned, or that of a settled payout whose return was not accepted: that money becomes
 * an item. A collection that had not settled moved nothing outside.
 */
function bookReportedReturn(
  world: World,
  report: RailReport,
  { before, after }: { readonly before: RailPayment; readonly after: RailPayment },
): void {
  const { connectionId, direction, returnedEntryId } = after;
  const { features } = world.get(railConnections.ref(connectionId));
  if (features?.settlesReturns !== true || report.status !== "returned") return;
  const bookedOn = dayOf(world.at);
  const hasMoved = direction !== "PULL" || before.state === "SETTLED";
  if (after.state === "RETURNED") {
    const isDone = before.state === "RETURNED" || !hasMoved || returnedEntryId !== null;
    if (!isDone) bookEntry(world, { connectionId, told: takenLine(after, bookedOn) }, "REPORT");
  } else if (direction === "OUT" && before.state === "SETTLED") {
    const told = asideLine(after, { report, bookedOn });
    bookEntry(world, { connectionId, told }, "REPORT");
  }
}

function takenLine(payment: RailPayment, bookedOn: string): ToldEntry {
  const { id, amountMinor, returnedMinor } = payment;
  const minor = returnedMinor ?? amountMinor;
  const { taken: bankReference } = reportedReferences(endToEndIdOf(id), minor);
  return lineOf(payment, { bankReference, bookedOn, amountMinor: minor });
}

/** Has another bank reference than the line of a return that is accepted later. */
function asideLine(
  payment: RailPayment,
  { report, bookedOn }: { readonly report: RailReport; readonly bookedOn: string },
): ToldEntry {
  const { id } = payment;
  const { amountMinor = payment.amountMinor } = report;
  const { aside: bankReference } = reportedReferences(endToEndIdOf(id), amountMinor);
  return lineOf(payment, { bankReference, bookedOn, amountMinor });
}

function lineOf(
  { id, direction, currency }: RailPayment,
  line: Pick<ToldEntry, "bankReference" | "bookedOn" | "amountMinor">,
): ToldEntry {
  return {
    ...line,
    direction: direction === "PULL" ? "DEBIT" : "CREDIT",
    currency,
    bookedAt: null,
    valueDate: null,
    reference: null,
    remittance: null,
    payer: null,
    virtualAccount: null,
    instructionId: undefined,
    invoiceId: null,
    feeOf: null,
    paymentId: id,
    returnOf: undefined,
    references: [],
  };
}
