import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { type EventResend, eventResends } from "./event-resend.ts";

/** Cancels an order: attempts in progress finish, and no other starts. Refuses, in this order: an unknown order, one that has ended. */
export const cancelEventResend: Command<{ readonly resendId: string }, EventResend> = {
  name: "cancel-event-resend",
  needs: (_, { resendId }) => [eventResends.ref(resendId)],
  decide(world, { resendId }) {
    const resend = world.find(eventResends.ref(resendId));
    if (resend === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const { state } = resend;
    if (state !== "RUNNING") {
      const message = `The resend is ${state}; only a RUNNING one can be cancelled.`;
      throw new Refusal("CONFLICT", { status: state }, message);
    }
    for (const part of resend.parts) world.cancel(part.jobId);
    return world.put(eventResends, {
      ...resend,
      state: "CANCELLED",
      updatedAt: world.at,
      endedAt: world.at,
    });
  },
};
