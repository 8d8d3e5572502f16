import type { Command, Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import {
  type Invitation,
  invitationNeeds,
  invitations,
  inviterOf,
  pendingInvitation,
  statusAt,
  withInviter,
} from "./invitation.ts";

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

interface CancelInvitationsInput {
  readonly jobId: string;
  /** The domain of the inviters' addresses, which was released. */
  readonly domain: string;
  /** A page of pending invitations from that domain, by id. */
  readonly invitationIds: readonly string[];
  /** Whether another page follows. */
  readonly hasMore: boolean;
}

/**
 * Cancels a page of invitations from addresses of a released domain and schedules a job for the next page. An invitation
 * that has ended is skipped. Nothing is cancelled when the platform has claimed the domain again.
 */
export const cancelInvitations: Command<CancelInvitationsInput, void> = {
  name: "cancel-invitations",
  needs: (world, { invitationIds }) => [
    platforms.ref(world.platformId),
    ...invitationIds.flatMap((id) => needsOf(world, id)),
  ],
  decide(world, { jobId, domain, invitationIds, hasMore }) {
    world.cancel(jobId);
    const { umaDomains } = world.get(platforms.ref(world.platformId));
    if (umaDomains.includes(domain)) return;
    for (const id of invitationIds) {
      const stored = world.get(invitations.ref(id));
      const invitation = withInviter(stored, world.get(inviterOf(stored)).deletedAt);
      if (statusAt(invitation, world.at) !== "PENDING") continue;
      if (invitation.expiryJobId !== null) world.cancel(invitation.expiryJobId);
      world.put(invitations, { ...invitation, status: "CANCELLED", updatedAt: world.at });
    }
    if (!hasMore) return;
    const after = invitationIds.at(-1) ?? null;
    scheduleJob(world, {
      kind: "cancel-invitations-at",
      payload: { domain, after },
      dueAt: world.at,
    });
  },
};

function needsOf(world: Loaded, id: string): readonly AnyRef[] {
  const ref = invitations.ref(id);
  const invitation: Invitation | undefined = world.find(ref);
  return invitation === undefined ? [ref] : [ref, inviterOf(invitation)];
}

interface ExpireInvitationInput {
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
