import type { Command, World } from "../../../engine/command.ts";
import { type ExchangeOutcome, noteExchange } from "../connections/exchange-health.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { takeToldReport, toldReportNeeds } from "../entries/reported-return.ts";
import { railRoutings } from "../routes/routing.ts";
import {
  isOpen,
  putPayment,
  type RailPayment,
  railPaymentSubject,
  railPayments,
  withState,
} from "./rail-payment.ts";
import type { RailReport } from "./rail-report.ts";

/** A payment without a report for this long after it was sent becomes UNKNOWN. */
export const UNKNOWN_AFTER_MS = 60_000;

export interface RecordRailExchangeInput {
  readonly paymentId: string;
  readonly connectionId: string;
  readonly outcome: ExchangeOutcome;
  /** Undefined when the exchange brought none. */
  readonly report: RailReport | undefined;
}

/** `wait`: the connection is degraded, and is asked again once it has recovered. */
export type Recorded = "over" | "open" | "wait";

/**
 * Records an exchange with a connector about a payment: the connection's health follows from the exchange, the payment's state from the
 * report. An exchange without a report leaves the payment as it is; 60 seconds after it was sent it becomes UNKNOWN, and is polled until a
 * report arrives.
 */
export const recordRailExchange: Command<RecordRailExchangeInput, Recorded> = {
  name: "record-rail-exchange",
  needs: (world, { paymentId, connectionId, report }) => [
    ...toldReportNeeds(world, { paymentId, connectionId, report }),
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { paymentId, connectionId, outcome, report }) {
    const payment = world.get(railPayments.ref(paymentId));
    const connection = world.get(railConnections.ref(connectionId));
    const noted = noteExchange(world, connection, outcome);
    const told =
      report === undefined
        ? payment
        : takeToldReport(world, payment, { report, source: "CONNECTOR" });
    const after = told === payment ? noteSilence(world, payment) : told;
    if (!isOpen(after)) return "over";
    return noted.status === "DEGRADED" ? "wait" : "open";
  },
};

function noteSilence(world: World, payment: RailPayment): RailPayment {
  const { state, sentAt } = payment;
  const isSilent = state === "SENDING" && sentAt !== null && world.at - sentAt >= UNKNOWN_AFTER_MS;
  if (!isSilent) return payment;
  const why = "the connector has not reported about it";
  const unknown = putPayment(world, withState(world, payment, { state: "UNKNOWN", why }));
  world.emit("RAIL_PAYMENT.UNKNOWN", railPaymentSubject(unknown));
  return unknown;
}
