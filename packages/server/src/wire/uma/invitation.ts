import Type from "typebox";
import {
  type Invitation,
  type InvitationLink,
  invitationStatuses,
  statusAt,
} from "../../domain/uma/invitations/invitation.ts";
import { toIso } from "../../std/clock.ts";
import { sensitive } from "../../validation/schema.ts";
import { CurrencyAmountSchema, DateTimeSchema, optional, wireAmount } from "../fields.ts";

export const InvitationSchema = Type.Object(
  {
    code: Type.String({
      ...sensitive,
      description: "Opaque. Its holder can read and claim the invitation.",
    }),
    createdAt: DateTimeSchema,
    url: Type.String({ ...sensitive, description: "The page to send to the one who is invited." }),
    inviterUma: Type.String(),
    status: Type.Enum([...invitationStatuses]),
    claimedAt: Type.Optional(DateTimeSchema),
    expiresAt: Type.Optional(DateTimeSchema),
    inviteeUma: Type.Optional(Type.String()),
    firstName: Type.Optional(Type.String({ description: "The inviter's." })),
    showInviterName: Type.Optional(
      Type.Boolean({ description: "Whether the page names the inviter in full." }),
    ),
    amountToSend: Type.Optional(CurrencyAmountSchema),
  },
  { $id: "Invitation" },
);

/** `at` is a time of the inviter's platform. */
export function invitationJson(
  invitation: Invitation,
  { code, url }: InvitationLink,
  at: number,
): string {
  const { amountMinor, currency, expiresAt, claimedAt } = invitation;
  return JSON.stringify({
    code,
    createdAt: toIso(invitation.createdAt),
    url,
    inviterUma: invitation.inviterUma,
    status: statusAt(invitation, at),
    ...optional("claimedAt", claimedAt === null ? null : toIso(claimedAt)),
    ...optional("expiresAt", expiresAt === null ? null : toIso(expiresAt)),
    ...optional("inviteeUma", invitation.inviteeUma),
    ...optional("firstName", invitation.firstName),
    ...optional("showInviterName", invitation.showsInviterName ? true : null),
    ...(amountMinor === null || currency === null
      ? {}
      : { amountToSend: wireAmount(amountMinor, currency) }),
  });
}

export const invitationExample = {
  code: "5f0c2a9be47d1836c0a1f7e95b2d4c68",
  createdAt: "2026-11-21T10:00:00.000Z",
  url: "https://pay.example/i/5f0c2a9be47d1836c0a1f7e95b2d4c68",
  inviterUma: "$ana@florin.test",
  status: "PENDING",
  expiresAt: "2026-12-21T10:00:00.000Z",
  firstName: "Ana",
  amountToSend: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
};

export const claimedInvitationExample = {
  ...invitationExample,
  status: "CLAIMED",
  claimedAt: "2026-11-22T08:30:00.000Z",
  inviteeUma: "$bea@wallet.example",
};
