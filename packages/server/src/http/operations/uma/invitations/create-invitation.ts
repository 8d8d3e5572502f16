import { randomBytes } from "node:crypto";
import Type from "typebox";
import { normalizeUmaAddress } from "../../../../domain/customers/uma-address.ts";
import {
  BLANK_NAME,
  createInvitation as command,
  PASSED,
} from "../../../../domain/uma/invitations/create-invitation.ts";
import { hashInvitationCode } from "../../../../domain/uma/invitations/invitation.ts";
import type { FieldError } from "../../../../engine/refusal.ts";
import { present } from "../../../../std/assert.ts";
import { requestAmount } from "../../../../validation/schema.ts";
import { judgementOf } from "../../../../validation/validation.ts";
import {
  InvitationSchema,
  invitationExample,
  invitationJson,
} from "../../../../wire/uma/invitation.ts";
import {
  isNoUmaAddress,
  umaAddressFault,
  umaAddressField,
} from "../../../../wire/uma/uma-address.ts";
import { invitationLink } from "../../../request/invitations.ts";
import {
  defineOperation,
  type JudgeSurroundings,
  type Principal,
} from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

export const createInvitation = defineOperation({
  id: "createInvitation",
  method: "POST",
  path: "/invitations",
  access: "TRANSACT",
  capability: "invitations.write",
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
      command,
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
