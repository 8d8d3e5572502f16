import type { Command } from "../../../engine/command.ts";
import { type EventResend, eventResends, type PartState } from "./event-resend.ts";

export interface EndResendPartInput {
  readonly resendId: string;
  readonly endpointId: string;
  readonly jobId: string;
  readonly state: Exclude<PartState, "RUNNING">;
}

/** Ends the part of an order for one endpoint, and with the last part the order. What has ended stays as it is. Refuses nothing. */
export const endResendPart: Command<EndResendPartInput, EventResend> = {
  name: "end-resend-part",
  needs: (_, { resendId }) => [eventResends.ref(resendId)],
  decide(world, { resendId, endpointId, jobId, state }) {
    const resend = world.get(eventResends.ref(resendId));
    world.cancel(jobId);
    if (resend.state !== "RUNNING") return resend;
    const parts = resend.parts.map((part) =>
      part.endpointId === endpointId && part.state === "RUNNING" ? { ...part, state } : part,
    );
    const isRunning = parts.some((part) => part.state === "RUNNING");
    const isStopped = parts.some((part) => part.state === "STOPPED");
    const ended = isStopped ? ("STOPPED" as const) : ("COMPLETED" as const);
    return world.put(eventResends, {
      ...resend,
      parts,
      state: isRunning ? "RUNNING" : ended,
      updatedAt: world.at,
      endedAt: isRunning ? null : world.at,
    });
  },
};
