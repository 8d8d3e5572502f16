/**
 * An invitation: a link by which a customer asks the invited person for an address to pay. The holder of the code can read and claim it, so
 * only a hash of the code is stored. The code has 128 random bits, so it cannot be found by hashing guesses.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toIso } from "../../../std/clock.ts";
import { sha256Hex } from "../../../std/digest.ts";
import {
  type AnyRef,
  defineLookup,
  defineTable,
  fixed,
  mutable,
  type Ref,
  type RowOf,
} from "../../../tables/tables.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { isAtOwnDomain } from "../domains/uma-domain.ts";

/**
 * PENDING    may be claimed; leaves by a claim (CLAIMED), by the inviter's platform (CANCELLED), when the inviter is
 *            deleted (CANCELLED: see `withInviter`), when the domain of the inviter's address is released (CANCELLED, by
 *            a job), or when its time has passed (EXPIRED, from that very moment on,
 *            whether or not a job has written it down yet)
 * CLAIMED    the invited person gave an address; final
 * EXPIRED    final
 * CANCELLED  final
 */
export const invitationStatuses = ["PENDING", "CLAIMED", "EXPIRED", "CANCELLED"] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

const columns = {
  id: fixed("uuid"),
  codeHash: fixed("text"),
  inviterCustomerId: fixed("uuid"),
  inviterUma: fixed("text"),
  /** The inviter's first name, shown on the page of the link. */
  firstName: fixed<string | null>("text"),
  /** Whether the page names the inviter in full. */
  showsInviterName: fixed("bool"),
  /** The amount that the inviter intends to send; no money is held for it. */
  amountMinor: fixed<bigint | null>("int8"),
  currency: fixed<string | null>("text"),
  /** The stored status. `statusAt` and `withInviter` give the effective one. */
  status: mutable<InvitationStatus>("text"),
  inviteeUma: mutable<string | null>("text"),
  expiresAt: fixed<number | null>("time"),
  expiryJobId: fixed<string | null>("uuid"),
  claimedAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Invitation extends RowOf<typeof columns> {}

export const invitations = defineTable<Invitation>("invitations", columns, {
  isFinal: ({ status }) => status !== "PENDING",
});

export const invitationsByCodeHash = defineLookup(invitations, { by: "codeHash" });

/** Members that only the caller can supply, because the code is not stored: the code and the URL of its page. */
export interface InvitationLink {
  readonly code: string;
  readonly url: string;
}

export interface InvitationSubject {
  readonly kind: "Invitation";
  readonly id: string;
  readonly invitation: Invitation;
  readonly link: InvitationLink;
}

export function invitationSubject(invitation: Invitation, link: InvitationLink): InvitationSubject {
  return { kind: "Invitation", id: `Invitation:${invitation.id}`, invitation, link };
}

/** Whether the text has the form of a code: 128 bits in hexadecimal. */
export function isInvitationCode(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export function hashInvitationCode(code: string): string {
  return sha256Hex(code);
}

/** The key of an invitation's code in the deployment's directory. */
export function invitationHandle(codeHash: string): string {
  return `invitation:${codeHash}`;
}

/** The status at a time of the inviter's platform. */
export function statusAt({ status, expiresAt }: Invitation, at: number): InvitationStatus {
  return status === "PENDING" && expiresAt !== null && at >= expiresAt ? "EXPIRED" : status;
}

/**
 * The invitation as it stands after its inviter was deleted: no one can send the money, so a pending one counts as cancelled
 * from that moment on. This is not stored, because a customer may have any number of invitations.
 */
export function withInviter(invitation: Invitation, inviterDeletedAt: number | null): Invitation {
  const { status, expiresAt } = invitation;
  if (status !== "PENDING" || inviterDeletedAt === null) return invitation;
  if (expiresAt !== null && expiresAt <= inviterDeletedAt) return invitation;
  return { ...invitation, status: "CANCELLED", updatedAt: inviterDeletedAt };
}

/** Rows to load to claim or cancel an invitation, found by its code. */
export function invitationNeeds(world: Loaded, codeHash: string): readonly AnyRef[] {
  const found = world.all(invitationsByCodeHash.of(codeHash));
  return [
    platforms.ref(world.platformId),
    invitationsByCodeHash.of(codeHash),
    ...found.map(inviterOf),
  ];
}

export function inviterOf({ inviterCustomerId }: Invitation): Ref<Customer> {
  return customers.ref(inviterCustomerId);
}

/**
 * The invitation behind a code while it can be claimed or cancelled. Refuses an unknown code, then one that is over. One whose
 * inviter's address lies at a domain that was released is cancelled, though a job may not have written that down yet.
 */
export function pendingInvitation(world: World, codeHash: string): Invitation {
  const [invitation] = world.all(invitationsByCodeHash.of(codeHash));
  if (invitation === undefined) throw new Refusal("INVITATION_NOT_FOUND");
  const { deletedAt } = world.get(inviterOf(invitation));
  refuseUnlessPending(withInviter(invitation, deletedAt), world.at);
  const platform = world.get(platforms.ref(world.platformId));
  if (!isAtOwnDomain(platform, invitation.inviterUma)) {
    throw new Refusal("INVITATION_CANCELLED", { status: "CANCELLED" });
  }
  return invitation;
}

/** Only a pending invitation can be claimed or cancelled; the refusal names the status of any other. */
function refuseUnlessPending(invitation: Invitation, at: number): void {
  const status = statusAt(invitation, at);
  const { inviteeUma, expiresAt } = invitation;
  switch (status) {
    case "PENDING":
      return;
    case "CLAIMED":
      throw new Refusal("INVITATION_ALREADY_CLAIMED", { status, inviteeUma });
    case "CANCELLED":
      throw new Refusal("INVITATION_CANCELLED", { status });
    case "EXPIRED":
      throw new Refusal("INVITATION_EXPIRED", {
        status,
        ...(expiresAt === null ? {} : { expirationTime: toIso(expiresAt) }),
      });
  }
}
