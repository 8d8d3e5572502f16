import type { Command } from "../../../engine/command.ts";
import { invalidFields, type Refusal } from "../../../engine/refusal.ts";
import { isPlatformAddress } from "../../customers/uma-address.ts";
import {
  type Invitation,
  type InvitationLink,
  invitationNeeds,
  invitationSubject,
  invitations,
  pendingInvitation,
} from "./invitation.ts";

export interface ClaimInvitationInput {
  readonly codeHash: string;
  /** Normalized. */
  readonly inviteeUma: string;
  readonly link: InvitationLink;
}

/**
 * Stores the address that the money of an invitation goes to, with an event for the inviter's platform, which sends the money. Runs on the
 * inviter's platform, even when another platform claims. Refuses, in this order: an unknown code, an invitation that is not pending, the
 * inviter's own address, the address of a platform itself.
 */
export const claimInvitation: Command<ClaimInvitationInput, Invitation> = {
  name: "claim-invitation",
  needs: (world, { codeHash }) => invitationNeeds(world, codeHash),
  decide(world, { codeHash, inviteeUma, link }) {
    const invitation = pendingInvitation(world, codeHash);
    if (inviteeUma === invitation.inviterUma) throw notUsable("is the inviter's own address");
    if (isPlatformAddress(inviteeUma)) throw notUsable("is reserved for the platform itself");

    const claimed = world.put(invitations, {
      ...invitation,
      status: "CLAIMED",
      inviteeUma,
      claimedAt: world.at,
      updatedAt: world.at,
    });
    if (claimed.expiryJobId !== null) world.cancel(claimed.expiryJobId);
    world.emit("INVITATION_CLAIMED", invitationSubject(claimed, link));
    return claimed;
  },
};

function notUsable(message: string): Refusal {
  return invalidFields([{ field: "inviteeUma", message }], "INVALID_UMA_ADDRESS");
}
