import type { Command } from "../../engine/command.ts";
import { noteExchange } from "../rail-connections/exchange-health.ts";
import { railConnections } from "../rail-connections/rail-connection.ts";
import { railRoutings } from "../rail-routes/routing.ts";
import { railPayments } from "./rail-payment.ts";
import type { RailReport } from "./rail-report.ts";
import { reportNeeds, takeReport } from "./take-report.ts";

export interface RecordRailCallbackInput {
  readonly connectionId: string;
  /** Undefined when the callback is about something else than a payment. */
  readonly told: { readonly paymentId: string; readonly report: RailReport } | undefined;
}

/** `unknown-payment`: no payment of this connection has the id; nothing was done. */
export type CallbackTaken = "taken" | "unknown-payment";

/** Records what a connector reported by itself. It can touch payments of its own connection alone. */
export const recordRailCallback: Command<RecordRailCallbackInput, CallbackTaken> = {
  name: "record-rail-callback",
  needs: (world, { connectionId, told }) => [
    railConnections.ref(connectionId),
    railRoutings.ref(world.platformId),
    ...(told === undefined ? [] : reportNeeds(world, told.paymentId)),
  ],
  decide(world, { connectionId, told }) {
    noteExchange(world, world.get(railConnections.ref(connectionId)), { kind: "good" });
    if (told === undefined) return "taken";
    const payment = world.find(railPayments.ref(told.paymentId));
    if (payment === undefined || payment.connectionId !== connectionId) return "unknown-payment";
    takeReport(world, payment, { report: told.report, source: "CALLBACK" });
    return "taken";
  },
};
