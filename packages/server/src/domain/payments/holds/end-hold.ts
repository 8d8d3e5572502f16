import type { Command } from "../../../engine/command.ts";
import { endHold, type Hold, holdNeeds, holds, requireOpenHold } from "./hold.ts";

export interface ReleaseHoldInput {
  readonly holdId: string;
}

/** Makes what is left of a hold available again. Refuses, in this order: an unknown hold; one that has ended. */
export const releaseHold: Command<ReleaseHoldInput, Hold> = {
  name: "release-hold",
  needs: (world, { holdId }) => holdNeeds(world, holdId),
  decide: (world, { holdId }) =>
    endHold(world, requireOpenHold(world, holdId, "released"), "RELEASED"),
};

export interface ExpireHoldInput {
  readonly holdId: string;
  readonly jobId: string;
}

/**
 * Ends a hold whose time has passed. One that has ended is left unchanged. One whose time has not passed keeps its job, because the clocks
 * of hosts differ by milliseconds.
 */
export const expireHold: Command<ExpireHoldInput, Hold> = {
  name: "expire-hold",
  needs: (world, { holdId }) => holdNeeds(world, holdId),
  decide(world, { holdId, jobId }) {
    const hold = world.get(holds.ref(holdId));
    const isOpen = hold.status === "OPEN";
    if (isOpen && world.at < hold.expiresAt) return hold;
    if (isOpen) return endHold(world, hold, "EXPIRED");
    world.cancel(jobId);
    return hold;
  },
};
