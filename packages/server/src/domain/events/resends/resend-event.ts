import type { Command } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";

/** An endpoint that gets the event once more. */
export interface ResentDelivery {
  readonly endpointId: string;
  /** The state before the attempt. */
  readonly state: "DELIVERED" | "WAITING" | "BEHIND" | "FAILED";
}

export interface ResendEventInput {
  readonly eventSeq: bigint;
  readonly deliveries: readonly ResentDelivery[];
}

/** Orders one more attempt of an event at each of these endpoints. Refuses nothing. */
export const resendEvent: Command<ResendEventInput, readonly ResentDelivery[]> = {
  name: "resend-event",
  needs: () => [],
  decide(world, { eventSeq, deliveries }) {
    for (const { endpointId } of deliveries) {
      const payload = { endpointId, eventSeq: eventSeq.toString() };
      scheduleJob(world, { kind: "resend-event", payload, dueAt: world.at });
    }
    return deliveries;
  },
};

/** Ends the job of an attempt that was made. Refuses nothing. */
export const recordEventResent: Command<{ readonly jobId: string }, undefined> = {
  name: "record-event-resent",
  needs: () => [],
  decide(world, { jobId }) {
    world.cancel(jobId);
    return undefined;
  },
};
