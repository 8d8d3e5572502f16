/**
 * Sends events again that a platform has asked for. A run sends a single event, or the next portion of an order to one endpoint; the
 * delivery worker lets only one run work on an order and stores its position.
 */

import { DELIVERY_WINDOW_MS } from "../../domain/events/delivery-schedule.ts";
import { endResendPart } from "../../domain/events/resends/end-resend-part.ts";
import { findEventResend } from "../../domain/events/resends/event-resend.sql.ts";
import { recordEventResent } from "../../domain/events/resends/resend-event.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import type { DeliveryWorker } from "../../webhooks/deliver-webhooks.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

/** The delay before another try when another run sends the event, or it cannot be sent yet. */
const LATER_MS = 1_000;

export function resendJobRunners({
  engine,
  reads,
  deliveries,
}: {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly deliveries: Pick<DeliveryWorker, "resendEvent" | "resendEvents">;
}): Pick<JobRunners, "resend-event" | "resend-events"> {
  return {
    async "resend-event"(job) {
      const { platformId, id: jobId } = job;
      const { endpointId, eventSeq } = job.payload;
      const order = { orderId: jobId, eventSeq: BigInt(eventSeq) };
      if (!(await deliveries.resendEvent({ platformId, endpointId }, order))) {
        return { kind: "again", inMs: LATER_MS };
      }
      await submitForJob(engine, job, { command: recordEventResent, input: { jobId } });
      return { kind: "done" };
    },

    async "resend-events"(job) {
      const { platformId, id: jobId } = job;
      const { resendId, endpointId } = job.payload;
      const resend = present(await findEventResend(reads, platformId, resendId), "a job's resend");
      const isOver = job.platformTime > resend.createdAt + DELIVERY_WINDOW_MS;
      const end =
        resend.state !== "RUNNING" || isOver
          ? ({ kind: "over", state: "STOPPED" } as const)
          : await deliveries.resendEvents({ platformId, endpointId }, resend);
      if (end.kind === "again") return end;
      const { state } = end;
      const input = { resendId, endpointId, jobId, state };
      await submitForJob(engine, job, { command: endResendPart, input });
      return { kind: "done" };
    },
  };
}
