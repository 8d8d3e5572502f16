import type { Command } from "../../../engine/command.ts";
import { invitations, inviterOf, statusAt, withInviter } from "./invitation.ts";

export interface ExpireInvitationInput {
  readonly invitationId: string;
  readonly jobId: string;
}

/**
 * Marks an invitation as expired; there is no event. One that is not pending stays as it is.
 * Answers false, and keeps the job, when the time has not come: the host's clock was set back in between.
 */
export const expireInvitation: Command<ExpireInvitationInput, boolean> = {
  name: "expire-invitation",
  needs: (world, { invitationId }) => {
    const ref = invitations.ref(invitationId);
    const invitation = world.find(ref);
    return invitation === undefined ? [ref] : [ref, inviterOf(invitation)];
  },
  decide(world, { invitationId, jobId }) {
    const stored = world.get(invitations.ref(invitationId));
    const invitation = withInviter(stored, world.get(inviterOf(stored)).deletedAt);
    const status = statusAt(invitation, world.at);
    if (status === "PENDING") return false;

    world.cancel(jobId);
    if (invitation.status === "PENDING") {
      world.put(invitations, { ...invitation, status, updatedAt: world.at });
    }
    return true;
  },
};
