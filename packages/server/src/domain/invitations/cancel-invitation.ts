import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import {
  type Invitation,
  invitations,
  invitationsByCodeHash,
  refuseUnlessPending,
} from "./invitation.ts";

/**
 * Takes an invitation back; nobody is told. Whether the one who asks is the inviter's platform is judged before. Refuses,
 * in this order: an unknown code, an invitation that is not pending.
 */
export const cancelInvitation: Command<{ readonly codeHash: string }, Invitation> = {
  name: "cancel-invitation",
  needs: (_world, { codeHash }) => [invitationsByCodeHash.of(codeHash)],
  decide(world, { codeHash }) {
    const [invitation] = world.all(invitationsByCodeHash.of(codeHash));
    if (invitation === undefined) throw new Refusal("INVITATION_NOT_FOUND");
    refuseUnlessPending(invitation, world.at);

    if (invitation.expiryJobId !== null) world.cancel(invitation.expiryJobId);
    return world.put(invitations, { ...invitation, status: "CANCELLED", updatedAt: world.at });
  },
};
