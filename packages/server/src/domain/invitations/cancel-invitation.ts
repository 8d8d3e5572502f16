import type { Command } from "../../engine/command.ts";
import { type Invitation, invitationNeeds, invitations, pendingInvitation } from "./invitation.ts";

/**
 * Takes an invitation back; nobody is told. Whether the one who asks is the inviter's platform is judged before. Refuses,
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
