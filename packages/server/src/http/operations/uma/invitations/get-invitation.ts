import Type from "typebox";
import { invitationCodeInPath } from "../../../../wire/id-fields.ts";
import {
  InvitationSchema,
  invitationExample,
  invitationJson,
} from "../../../../wire/uma/invitation.ts";
import { invitationLink, requireInvitation } from "../../../request/invitations.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

export const getInvitation = defineOperation({
  id: "getInvitation",
  method: "GET",
  path: "/invitations/{invitationCode}",
  access: "VIEW",
  capability: "invitations.read",
  tag: "Invitations",
  summary: "Get an invitation",
  description: "An invitation of any platform: the code is all that is needed to read it.",
  params: Type.Object({ invitationCode: invitationCodeInPath }),
  answers: {
    200: { description: "The invitation.", schema: InvitationSchema, example: invitationExample },
  },
  refusals: ["INVITATION_NOT_FOUND"],
  async handle({ principal, params: { invitationCode } }, services: Services) {
    const found = await requireInvitation(invitationCode, principal, services);
    const at = services.clock.now() + found.clockOffsetMs;
    const link = invitationLink(invitationCode, services);
    return { status: 200, body: invitationJson(found.invitation, link, at) };
  },
});
