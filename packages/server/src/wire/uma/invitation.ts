import {
  type Invitation,
  type InvitationLink,
  invitationStatuses,
  statusAt,
} from "../../domain/uma/invitations/invitation.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

/** `at` is a time of the inviter's platform. */
type Shown = InvitationLink & { readonly at: number };

const invitation = wireObject("Invitation", ({ of, maybe }: Kit<Invitation, Shown>) => ({
  code: of.text({
    from: (_, { code }) => code,
    ...sensitive,
    description: "Opaque. Its holder can read and claim the invitation.",
    example: "5f0c2a9be47d1836c0a1f7e95b2d4c68",
  }),
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  url: of.text({
    from: (_, { url }) => url,
    ...sensitive,
    description: "The page to send to the one who is invited.",
    example: "https://pay.example/i/5f0c2a9be47d1836c0a1f7e95b2d4c68",
  }),
  inviterUma: of.text({ example: "$ana@florin.test" }),
  status: of.enum(invitationStatuses, {
    from: (row, { at }) => statusAt(row, at),
    example: "PENDING",
  }),
  claimedAt: maybe.time(),
  expiresAt: maybe.time({ example: "2026-12-21T10:00:00.000Z" }),
  inviteeUma: maybe.text(),
  firstName: maybe.text({ description: "The inviter's.", example: "Ana" }),
  showInviterName: maybe.boolean({
    from: ({ showsInviterName }) => showsInviterName || null,
    description: "Whether the page names the inviter in full.",
  }),
  amountToSend: maybe.amount("amountMinor", { example: 12500n }),
}));

export const { schema: InvitationSchema, example: invitationExample } = invitation;

export function invitationJson(row: Invitation, { code, url }: InvitationLink, at: number): string {
  return invitation.json(row, { code, url, at });
}

export const claimedInvitationExample = {
  ...invitationExample,
  status: "CLAIMED",
  claimedAt: "2026-11-22T08:30:00.000Z",
  inviteeUma: "$bea@wallet.example",
};
