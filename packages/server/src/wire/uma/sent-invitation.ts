import Type from "typebox";
import { toCustomerId } from "../../domain/customers/customer.ts";
import type { Invitation } from "../../domain/uma/invitations/invitation.ts";
import { invitationStatuses, statusAt } from "../../domain/uma/invitations/invitation.ts";
import type { SentInvitation } from "../../domain/uma/invitations/sent-invitations.sql.ts";
import { type Kit, wireObject } from "../wire-object.ts";

interface Shown {
  readonly inviterName: string;
  /** A time of the inviter's platform. */
  readonly at: number;
}

const InviterSchema = Type.Object({
  customerId: Type.String(),
  fullName: Type.String({ description: "Of the customer, or of the business." }),
});

/** Leaves out the code, which only its holder has. */
const sent = wireObject("SentInvitation", ({ of, maybe }: Kit<Invitation, Shown>) => ({
  id: of.id("Invitation", { description: "`Invitation:<uuid>`", example: 41 }),
  inviter: of.json(InviterSchema, {
    from: ({ inviterCustomerId }, { inviterName }) => ({
      customerId: toCustomerId(inviterCustomerId),
      fullName: inviterName,
    }),
    example: {
      customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
      fullName: "Ana García",
    },
  }),
  inviterUma: of.text({ example: "$ana@florin.test" }),
  status: of.enum(invitationStatuses, {
    from: (row, { at }) => statusAt(row, at),
    example: "PENDING",
  }),
  amountToSend: maybe.amount("amountMinor", { example: 12500n }),
  inviteeUma: maybe.text(),
  expiresAt: maybe.time({ example: "2026-12-21T10:00:00.000Z" }),
  claimedAt: maybe.time(),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  updatedAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));

export const { schema: SentInvitationSchema, example: sentInvitationExample } = sent;

/** `now` is a time of the host. */
export function sentInvitationJson(
  { invitation, inviterName, aheadMs }: SentInvitation,
  now: number,
): string {
  return sent.json(invitation, { inviterName, at: now + aheadMs });
}
