import { randomBytes } from "node:crypto";
import Type from "typebox";
import { createInvitation as command } from "../../../domain/invitations/create-invitation.ts";
import { hashInvitationCode } from "../../../domain/invitations/invitation.ts";
import { invitationLink } from "../../invitations.ts";
import { defineOperation } from "../../operation.ts";
import { requestAmount } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { InvitationSchema, invitationExample, invitationJson } from "../../wire/invitation.ts";
import { requireUmaAddress, umaAddressField } from "../../wire/uma-address.ts";

export const createInvitation = defineOperation({
  id: "createInvitation",
  method: "POST",
  path: "/invitations",
  access: "TRANSACT",
  tag: "Invitations",
  summary: "Invite somebody to be sent money",
  description:
    "Send the `url` to the one who is invited. When the invitation is claimed, `INVITATION_CLAIMED` is told, and it is for " +
    "your platform to send the money: `amountToSend` is shown and nothing more. A production platform needs a deployment " +
    "whose PUBLIC_URL is set.",
  body: Type.Object({
    inviterUma: umaAddressField("Of one of your customers."),
    firstName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "The inviter's, shown to whoever opens the link.",
      }),
    ),
    amountToSend: Type.Optional(
      requestAmount({
        description: "Whole number of the smallest unit of the inviter's first currency.",
      }),
    ),
    expiresAt: Type.Optional(
      Type.String({ format: "date-time", description: "In the future. Never when absent." }),
    ),
  }),
  requestExample: {
    inviterUma: "$ana@florin.test",
    firstName: "Ana",
    amountToSend: 12500,
    expiresAt: "2026-12-21T10:00:00.000Z",
  },
  answers: {
    201: { description: "The invitation.", schema: InvitationSchema, example: invitationExample },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_UMA_ADDRESS",
    "INVITATIONS_NOT_CONFIGURED",
  ],
  async handle({ principal, body, idempotency }, services: Services) {
    const code = randomBytes(16).toString("hex");
    const { firstName, amountToSend, expiresAt } = body;
    return services.engine.submit({
      platformId: principal.platformId,
      actor: { kind: "token", id: principal.tokenId },
      command,
      input: {
        codeHash: hashInvitationCode(code),
        inviterUma: requireUmaAddress("inviterUma", body.inviterUma),
        firstName: firstName?.trim(),
        amountMinor: amountToSend === undefined ? undefined : BigInt(amountToSend),
        expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt.toUpperCase()),
        hasPublicUrl: services.hasPublicUrl,
      },
      toAnswer: (invitation) => ({
        status: 201,
        body: invitationJson(invitation, invitationLink(code, services), invitation.createdAt),
      }),
      idempotency,
      secret: true,
    });
  },
});
