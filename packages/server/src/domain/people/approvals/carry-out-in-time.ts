import type { Command } from "../../../engine/command.ts";
import { platforms } from "../../platform.ts";
import { approvals, moveApproval } from "./approval.ts";
import { carryOut, type OpenedOrder } from "./decide-approval.ts";

export interface CarryOutInTimeInput {
  readonly approvalId: string;
  readonly jobId: string;
  readonly order: OpenedOrder;
}

/**
 * Carries out an order that needed no agreement, when its time has come and it still waits: what its own command refuses now ends it FAILED.
 * Answers false, and keeps the job, when the time has not come: the host's clock was set back.
 */
export const carryOutInTime: Command<CarryOutInTimeInput, boolean> = {
  name: "carry-out-in-time",
  needs: (world, { approvalId, order }) => [
    approvals.ref(approvalId),
    platforms.ref(world.platformId),
    ...order.needs(world),
  ],
  decide(world, { approvalId, jobId, order }) {
    const approval = world.get(approvals.ref(approvalId));
    const isPending = approval.state === "PENDING";
    if (isPending && world.at < approval.expiresAt) return false;
    if (isPending) carryOut(world, moveApproval(approval, "APPROVED"), order);
    else world.cancel(jobId);
    return true;
  },
};
