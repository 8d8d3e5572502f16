import Type from "typebox";
import { cancelInvitation as command } from "../../../../domain/uma/invitations/cancel-invitation.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { invitationCodeInPath } from "../../../../wire/id-fields.ts";
import {
  InvitationSchema,
  invitationExample,
  invitationJson,
} from "../../../../wire/uma/invitation.ts";
import { invitationLink, requireInvitation, withoutCode } from "../../../request/invitations.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const cancelInvitation = defineOperation({
  id: "cancelInvitation",
  method: "POST",
  path: "/invitations/{invitationCode}/cancel",
  access: "TRANSACT",
  capability: "invitations.write",
  tag: "Invitations",
  summary: "Cancel an invitation",
  description:
    "For the inviter's platform, while the invitation is pending. Its page says so from then on.",
  params: Type.Object({ invitationCode: invitationCodeInPath }),
  answers: {
    200: {
      description: "The cancelled invitation.",
      schema: InvitationSchema,
      example: { ...invitationExample, status: "CANCELLED" },
    },
  },
  refusals: [
    "INVITATION_ALREADY_CLAIMED",
    "INVITATION_CANCELLED",
    "INVITATION_EXPIRED",
    "INVITATION_NOT_FOUND",
  ],
  async handle({ principal, params, idempotency }, services: Services) {
    const { invitationCode: code } = params;
    const { platformId, invitation } = await requireInvitation(code, principal, services);
    if (platformId !== principal.platformId) {
      throw new Refusal("FORBIDDEN", undefined, "Only the inviter's platform can cancel this.");
    }
    return submitForCaller(services.engine, principal, {
      command,
      input: { codeHash: invitation.codeHash },
      toAnswer: (cancelled) => ({
        status: 200,
        body: invitationJson(cancelled, invitationLink(code, services), cancelled.updatedAt),
      }),
      idempotency: withoutCode(idempotency, code),
      secret: true,
    });
  },
});
