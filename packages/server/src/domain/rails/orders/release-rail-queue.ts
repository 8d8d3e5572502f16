import type { Command } from "../../../engine/command.ts";
import { isSentByJobs, railConnections } from "../connections/rail-connection.ts";
import { scheduleSending } from "./new-rail-payment.ts";
import { putPayment, railPayments } from "./rail-payment.ts";

export interface ReleaseRailQueueInput {
  readonly connectionId: string;
  readonly jobId: string;
  /** Queued payments without a job; an empty list ends this job. */
  readonly paymentIds: readonly string[];
}

/** Schedules the sending of payments that waited while their connection was paused or degraded. Answers whether there may be more. */
export const releaseRailQueue: Command<ReleaseRailQueueInput, boolean> = {
  name: "release-rail-queue",
  isLarge: true,
  needs: (_world, { connectionId, paymentIds }) => [
    railConnections.ref(connectionId),
    ...paymentIds.map((id) => railPayments.ref(id)),
  ],
  decide(world, { connectionId, jobId, paymentIds }) {
    const connection = world.get(railConnections.ref(connectionId));
    if (connection.status !== "ACTIVE" || paymentIds.length === 0) {
      world.cancel(jobId);
      return false;
    }
    for (const id of paymentIds) {
      const payment = world.get(railPayments.ref(id));
      const waits =
        payment.state === "QUEUED" &&
        payment.jobId === null &&
        payment.connectionId === connectionId;
      if (!waits) continue;
      const { transactionId } = payment;
      const sending = scheduleSending(world, { paymentId: id, transactionId, connection });
      if (sending !== null) putPayment(world, { ...payment, jobId: sending });
    }
    return isSentByJobs(connection);
  },
};
