import { randomBytes } from "node:crypto";
import Type from "typebox";
import { normalizeUmaAddress } from "../../../domain/customers/uma-address.ts";
import { claimInvitation as claimInvitationCommand } from "../../../domain/uma/invitations/claim-invitation.ts";
import {
  BLANK_NAME,
  createInvitation as createInvitationCommand,
  PASSED,
} from "../../../domain/uma/invitations/create-invitation.ts";
import { hashInvitationCode } from "../../../domain/uma/invitations/invitation.ts";
import { cancelInvitation as cancelInvitationCommand } from "../../../domain/uma/invitations/invitation-end.ts";
import { type FieldError, Refusal } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { judgementOf } from "../../../validation/validation.ts";
import { invitationCodeInPath } from "../../../wire/id-fields.ts";
import {
  claimedInvitationExample,
  InvitationSchema,
  invitationExample,
  invitationJson,
} from "../../../wire/uma/invitation.ts";
import {
  isNoUmaAddress,
  requireUmaAddress,
  umaAddressFault,
  umaAddressField,
} from "../../../wire/uma/uma-address.ts";
import { invitationLink, requireInvitation, withoutCode } from "../../request/invitations.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type Principal,
  route,
} from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { actorOf, submitForCaller } from "../../request/submit-for-caller.ts";

const createInvitation = defineOperation({
  id: "createInvitation",
  ...route("POST /invitations", "TRANSACT", "invitations.write"),
  tag: "Invitations",
  summary: "Create an invitation",
  description:
    "Invites a person without a UMA address to be sent money. " +
    "Send the `url` to the person you invite. When the invitation is claimed, you get `INVITATION_CLAIMED`, and " +
    "your platform sends the money: `amountToSend` is only shown. A production platform needs a deployment " +
    "whose PUBLIC_URL is set. The page is in the language of the browser; `?lang=en`, `es` or `pt` in the `url` sets another.",
  body: Type.Object({
    inviterUma: umaAddressField("Of one of your customers."),
    firstName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "The inviter's, shown on the page of the link.",
      }),
    ),
    showInviterName: Type.Optional(
      Type.Boolean({
        description:
          "Whether the page names the inviter in full, with the present name of the customer. Ask the inviter first. " +
          "Without it the page shows `firstName`, or no name.",
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
  judge(
    { inviterUma, firstName, expiresAt },
    { context: { clock } }: JudgeSurroundings<Services, Principal>,
  ) {
    const furtherFaults = () => {
      const errors: FieldError[] = [];
      if (typeof firstName === "string" && firstName.trim() === "") errors.push(BLANK_NAME);
      // A platform's clock is never behind the host's, so a time that has passed here has passed there.
      if (typeof expiresAt === "string" && Date.parse(expiresAt.toUpperCase()) <= clock.now()) {
        errors.push(PASSED);
      }
      return errors;
    };
    return {
      ...judgementOf(isNoUmaAddress(inviterUma) ? [umaAddressFault("inviterUma")] : []),
      furtherFaults,
    };
  },
  async handle({ principal, body, idempotency }, services: Services) {
    const code = randomBytes(16).toString("hex");
    const { firstName, showInviterName = false, amountToSend, expiresAt } = body;
    return submitForCaller(services.engine, principal, {
      command: createInvitationCommand,
      input: {
        codeHash: hashInvitationCode(code),
        inviterUma: present(normalizeUmaAddress(body.inviterUma), "a judged address"),
        firstName: firstName?.trim(),
        showsInviterName: showInviterName,
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

const getInvitation = defineOperation({
  id: "getInvitation",
  ...route("GET /invitations/{invitationCode}", "VIEW", "invitations.read"),
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

const claimInvitation = defineOperation({
  id: "claimInvitation",
  ...route("POST /invitations/{invitationCode}/claim", "TRANSACT", "invitations.write"),
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
  events: ["INVITATION_CLAIMED"],
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
      command: claimInvitationCommand,
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

const cancelInvitation = defineOperation({
  id: "cancelInvitation",
  ...route("POST /invitations/{invitationCode}/cancel", "TRANSACT", "invitations.write"),
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
      command: cancelInvitationCommand,
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

export const invitationOperations = [
  createInvitation,
  getInvitation,
  claimInvitation,
  cancelInvitation,
];
