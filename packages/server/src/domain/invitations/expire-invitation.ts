import type { Command } from "../../engine/command.ts";
import { invitations, statusAt } from "./invitation.ts";

export interface ExpireInvitationInput {
  readonly invitationId: string;
  readonly jobId: string;
}

/**
 * Writes down that an invitation's time has passed; nobody is told. One that was claimed or cancelled stays what it is.
 * Answers false, and keeps the job, when the time has not come: the host's clock was set back in between.
 */
export const expireInvitation: Command<ExpireInvitationInput, boolean> = {
  name: "expire-invitation",
  needs: (_world, { invitationId }) => [invitations.ref(invitationId)],
  decide(world, { invitationId, jobId }) {
    const invitation = world.get(invitations.ref(invitationId));
    const status = statusAt(invitation, world.at);
    if (status === "PENDING") return false;

    world.cancel(jobId);
    if (invitation.status === "PENDING") {
      world.put(invitations, { ...invitation, status, updatedAt: world.at });
    }
    return true;
  },
};
