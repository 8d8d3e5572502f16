import Type from "typebox";
import { claimInvitation as command } from "../../../../domain/uma/invitations/claim-invitation.ts";
import { invitationCodeInPath } from "../../../../wire/id-fields.ts";
import {
  claimedInvitationExample,
  InvitationSchema,
  invitationJson,
} from "../../../../wire/uma/invitation.ts";
import { requireUmaAddress, umaAddressField } from "../../../../wire/uma/uma-address.ts";
import { invitationLink, requireInvitation, withoutCode } from "../../../request/invitations.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { actorOf } from "../../../request/submit-for-caller.ts";

export const claimInvitation = defineOperation({
  id: "claimInvitation",
  method: "POST",
  path: "/invitations/{invitationCode}/claim",
  access: "TRANSACT",
  capability: "invitations.write",
  tag: "Invitations",
  summary: "Claim an invitation",
  description:
    "The invitation may be of another platform: its platform gets `INVITATION_CLAIMED` and sends the money to " +
    "`inviteeUma`; nothing is sent by itself. An invitation is claimed once. A sandbox token claims sandbox invitations alone.",
  params: Type.Object({ invitationCode: invitationCodeInPath }),
  body: Type.Object({ inviteeUma: umaAddressField("Where the one who claims takes money.") }),
  requestExample: { inviteeUma: "$bea@wallet.example" },
  answers: {
    200: {
      description: "The claimed invitation.",
      schema: InvitationSchema,
      example: claimedInvitationExample,
    },
  },
  refusals: [
    "INVALID_INPUT",
    "INVALID_UMA_ADDRESS",
    "INVITATION_ALREADY_CLAIMED",
    "INVITATION_CANCELLED",
    "INVITATION_EXPIRED",
    "INVITATION_NOT_FOUND",
  ],
  async handle({ principal, params, body, idempotency }, services: Services) {
    const { invitationCode: code } = params;
    const inviteeUma = requireUmaAddress("inviteeUma", body.inviteeUma);
    const { platformId, invitation } = await requireInvitation(code, principal, services);
    const link = invitationLink(code, services);
    // Submitted to the inviter's platform, which may differ from the caller's.
    return services.engine.submit({
      platformId,
      actor: actorOf(principal),
      act: principal.act,
      command,
      input: { codeHash: invitation.codeHash, inviteeUma, link },
      toAnswer: (claimed) => ({
        status: 200,
        body: invitationJson(claimed, link, claimed.updatedAt),
      }),
      idempotency: withoutCode(idempotency, code),
      secret: true,
    });
  },
});
