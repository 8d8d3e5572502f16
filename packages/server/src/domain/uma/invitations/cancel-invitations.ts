import type { Command, Loaded } from "../../../engine/command.ts";
import type { AnyRef } from "../../../tables/tables.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import { type Invitation, invitations, inviterOf, statusAt, withInviter } from "./invitation.ts";

export interface CancelInvitationsInput {
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
