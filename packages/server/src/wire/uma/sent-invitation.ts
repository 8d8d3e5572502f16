import Type from "typebox";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { invitationStatuses, statusAt } from "../../domain/uma/invitations/invitation.ts";
import type { SentInvitation } from "../../domain/uma/invitations/sent-invitations.sql.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { CurrencyAmountSchema, DateTimeSchema, optional, wireAmount } from "../fields.ts";

/** Without the code, which only its holder has. */
export const SentInvitationSchema = Type.Object(
  {
    id: Type.String({ description: "`Invitation:<uuid>`" }),
    inviter: Type.Object({
      customerId: Type.String(),
      fullName: Type.String({ description: "Of the customer, or of the business." }),
    }),
    inviterUma: Type.String(),
    status: Type.Enum([...invitationStatuses]),
    amountToSend: Type.Optional(CurrencyAmountSchema),
    inviteeUma: Type.Optional(Type.String()),
    expiresAt: Type.Optional(DateTimeSchema),
    claimedAt: Type.Optional(DateTimeSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "SentInvitation" },
);

/** `now` is a time of the host. */
export function sentInvitationJson(
  { invitation, inviterName, aheadMs }: SentInvitation,
  now: number,
): string {
  const { amountMinor, currency, expiresAt, claimedAt } = invitation;
  return JSON.stringify({
    id: toWireId("Invitation", invitation.id),
    inviter: { customerId: toCustomerId(invitation.inviterCustomerId), fullName: inviterName },
    inviterUma: invitation.inviterUma,
    status: statusAt(invitation, now + aheadMs),
    ...(amountMinor === null || currency === null
      ? {}
      : { amountToSend: wireAmount(amountMinor, currency) }),
    ...optional("inviteeUma", invitation.inviteeUma),
    ...optional("expiresAt", expiresAt === null ? null : toIso(expiresAt)),
    ...optional("claimedAt", claimedAt === null ? null : toIso(claimedAt)),
    createdAt: toIso(invitation.createdAt),
    updatedAt: toIso(invitation.updatedAt),
  });
}

export const sentInvitationExample = {
  id: "Invitation:019a4f00-0000-7000-8000-000000000041",
  inviter: {
    customerId: "Customer:019a4f00-0000-7000-8000-000000000010",
    fullName: "Ana García",
  },
  inviterUma: "$ana@florin.test",
  status: "PENDING",
  amountToSend: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  expiresAt: "2026-12-21T10:00:00.000Z",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};
