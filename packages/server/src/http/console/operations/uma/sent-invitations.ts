/** The invitations of a platform. The public API cannot list them: it finds one by its code, which is not stored. */

import Type from "typebox";
import { invitationStatuses } from "../../../../domain/uma/invitations/invitation.ts";
import { cancelInvitation } from "../../../../domain/uma/invitations/invitation-end.ts";
import {
  findSentInvitation,
  listSentInvitations,
} from "../../../../domain/uma/invitations/sent-invitations.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  SentInvitationSchema,
  sentInvitationExample,
  sentInvitationJson,
} from "../../../../wire/uma/sent-invitation.ts";
import { answerList } from "../../../request/list.ts";
import { pageOf } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { ofPlatform } from "../../place.ts";

const listInvitations = defineOperation({
  id: "listSentInvitations",
  ...route(`GET ${ofPlatform("/sent-invitations")}`, "PERSON", "invitations.read"),
  tag: "Invitations",
  summary: "List the invitations of the platform",
  query: Type.Object({
    status: Type.Optional(Type.Enum([...invitationStatuses])),
    ...pageParameters,
  }),
  answers: {
    200: pageOf(
      { schema: SentInvitationSchema, example: sentInvitationExample },
      "Newest first, without their codes.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle({ principal, query }, services: Services) {
    const now = services.clock.now();
    return answerList(services, {
      operationId: "listSentInvitations",
      principal,
      query,
      load: (page) => listSentInvitations(services.reads, page, { status: query.status, now }),
      idOf: ({ invitation }) => invitation.id,
      toJson: (sent) => sentInvitationJson(sent, now),
    });
  },
});

const params = Type.Object({ invitationId: pathId("Invitation") });

const getInvitation = defineOperation({
  id: "getSentInvitation",
  ...route(`GET ${ofPlatform("/sent-invitations/{invitationId}")}`, "PERSON", "invitations.read"),
  tag: "Invitations",
  summary: "Get an invitation of the platform",
  params,
  answers: {
    200: {
      description: "The invitation, without its code.",
      schema: SentInvitationSchema,
      example: sentInvitationExample,
    },
  },
  refusals: ["INVITATION_NOT_FOUND"],
  async handle({ principal, params }, { reads, clock }: Services) {
    const id = requireId("Invitation", params.invitationId, "INVITATION_NOT_FOUND");
    const found = await findSentInvitation(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("INVITATION_NOT_FOUND");
    return { status: 200, body: sentInvitationJson(found, clock.now()) };
  },
});

const cancelSent = defineOperation({
  id: "cancelSentInvitation",
  ...route(
    `POST ${ofPlatform("/sent-invitations/{invitationId}/cancel")}`,
    "PERSON",
    "invitations.write",
  ),
  tag: "Invitations",
  summary: "Cancel an invitation of the platform",
  params,
  answers: {
    200: {
      description: "The cancelled invitation.",
      schema: SentInvitationSchema,
      example: { ...sentInvitationExample, status: "CANCELLED" },
    },
  },
  refusals: [
    "INVITATION_ALREADY_CLAIMED",
    "INVITATION_CANCELLED",
    "INVITATION_EXPIRED",
    "INVITATION_NOT_FOUND",
  ],
  async handle({ principal, params, idempotency }, { reads, engine }: Services) {
    const id = requireId("Invitation", params.invitationId, "INVITATION_NOT_FOUND");
    const found = await findSentInvitation(reads, principal.platformId, id);
    if (found === undefined) throw new Refusal("INVITATION_NOT_FOUND");
    return submitForCaller(engine, principal, {
      command: cancelInvitation,
      input: { codeHash: found.invitation.codeHash },
      toAnswer: (invitation) => ({
        status: 200,
        body: sentInvitationJson({ ...found, invitation, aheadMs: 0 }, invitation.updatedAt),
      }),
      idempotency,
    });
  },
});

export const sentInvitationOperations = [listInvitations, getInvitation, cancelSent];
