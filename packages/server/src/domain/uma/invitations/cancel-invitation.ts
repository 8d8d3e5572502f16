import type { Command } from "../../../engine/command.ts";
import { type Invitation, invitationNeeds, invitations, pendingInvitation } from "./invitation.ts";

/**
 * Cancels an invitation; there is no event. The caller has checked that the request comes from the inviter's platform. Refuses,
 * in this order: an unknown code, an invitation that is not pending.
 */
export const cancelInvitation: Command<{ readonly codeHash: string }, Invitation> = {
  name: "cancel-invitation",
  needs: (world, { codeHash }) => invitationNeeds(world, codeHash),
  decide(world, { codeHash }) {
    const invitation = pendingInvitation(world, codeHash);

    if (invitation.expiryJobId !== null) world.cancel(invitation.expiryJobId);
    return world.put(invitations, { ...invitation, status: "CANCELLED", updatedAt: world.at });
  },
};
