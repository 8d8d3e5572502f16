import type { Command } from "../../../engine/command.ts";
import { railRoutings } from "../routes/routing.ts";
import { isUnsent, railPayments } from "./rail-payment.ts";
import { LAPSED_REPORT } from "./rail-report.ts";
import { reportNeeds, takeReport } from "./take-report.ts";

export interface LapseInput {
  readonly paymentId: string;
  readonly jobId: string;
}

/**
 * Cancels an order whose invoice has lapsed before the order was sent; its money is given back. An order that may have been sent is left to
 * its connector: the receiver may have taken it. Answers false and keeps the job if it is too early: the host's clock was set back.
 */
export const lapseRailPayment: Command<LapseInput, boolean> = {
  name: "lapse-rail-payment",
  needs: (world, { paymentId }) => [
    ...reportNeeds(world, paymentId),
    railRoutings.ref(world.platformId),
  ],
  decide(world, { paymentId, jobId }) {
    const payment = world.get(railPayments.ref(paymentId));
    const isWaiting = payment.invoice !== null && isUnsent(payment);
    if (isWaiting && world.at < payment.invoice.lapsesAt) return false;
    world.cancel(jobId);
    if (isWaiting) takeReport(world, payment, { report: LAPSED_REPORT, source: "SERVER" });
    return true;
  },
};
