import type { Command, World } from "../../../engine/command.ts";
import { type FieldError, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { defineLookup } from "../../../tables/tables.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { scheduleJob } from "../../job-kinds.ts";
import { platforms } from "../../platform.ts";
import { isAtOwnDomain } from "../domains/uma-domain.ts";
import { type Invitation, invitationHandle, invitations } from "./invitation.ts";

export interface CreateInvitationInput {
  readonly codeHash: string;
  /** Normalized. */
  readonly inviterUma: string;
  /** Trimmed. */
  readonly firstName: string | undefined;
  readonly showsInviterName: boolean;
  readonly amountMinor: bigint | undefined;
  readonly expiresAt: number | undefined;
  /** Whether the operator has set the public URL of this deployment. */
  readonly hasPublicUrl: boolean;
}

const liveByUmaAddress = defineLookup(customers, {
  by: "umaAddress",
  where: { sql: "t.deleted_at is null", holds: (customer) => customer.deletedAt === null },
});

/**
 * Creates an invitation and, if it has an end, the job that expires it. Refuses, in this order: a production platform on a
 * deployment without a public URL; then, in one answer: an inviter who is not a live customer, an amount from an inviter
 * without a currency, a name to show from an inviter without one, a blank name, an expiry in the past.
 */
export const createInvitation: Command<CreateInvitationInput, Invitation> = {
  name: "create-invitation",
  needs: (world, { inviterUma }) => [
    platforms.ref(world.platformId),
    liveByUmaAddress.of(inviterUma),
  ],
  decide(world, input) {
    const { environment } = world.get(platforms.ref(world.platformId));
    if (environment === "PRODUCTION" && !input.hasPublicUrl) {
      throw new Refusal("INVITATIONS_NOT_CONFIGURED", { reason: "PUBLIC_URL is not set" });
    }
    const inviter = soundInviter(world, input);

    const id = world.newId();
    world.claimHandle(invitationHandle(input.codeHash));
    const { amountMinor, expiresAt } = input;
    return world.put(invitations, {
      id,
      codeHash: input.codeHash,
      inviterCustomerId: inviter.id,
      inviterUma: inviter.umaAddress,
      firstName: input.firstName ?? null,
      showsInviterName: input.showsInviterName,
      amountMinor: amountMinor ?? null,
      currency: amountMinor === undefined ? null : (currencyOf(inviter) ?? null),
      status: "PENDING",
      inviteeUma: null,
      expiresAt: expiresAt ?? null,
      expiryJobId:
        expiresAt === undefined
          ? null
          : scheduleJob(world, {
              kind: "expire-invitation",
              payload: { invitationId: id },
              dueAt: expiresAt,
            }),
      claimedAt: null,
      createdAt: world.at,
      updatedAt: world.at,
    });
  },
};

export const BLANK_NAME: FieldError = { field: "firstName", message: "must not be blank" };
export const PASSED: FieldError = { field: "expiresAt", message: "must be in the future" };

/** The inviter, or a refusal that names everything that is wrong. */
function soundInviter(world: World, input: CreateInvitationInput): Customer {
  const platform = world.get(platforms.ref(world.platformId));
  const [found] = world.all(liveByUmaAddress.of(input.inviterUma));
  // At a domain that was released the address is not the customer's any more.
  const inviter = isAtOwnDomain(platform, input.inviterUma) ? found : undefined;
  const errors: FieldError[] = [];
  if (inviter === undefined) {
    errors.push({ field: "inviterUma", message: "is not the address of a customer" });
  } else if (input.amountMinor !== undefined && currencyOf(inviter) === undefined) {
    errors.push({ field: "amountToSend", message: "needs an inviter who has a currency" });
  }
  if (input.showsInviterName && inviter !== undefined && nameOf(inviter) === undefined) {
    errors.push({ field: "showInviterName", message: "needs an inviter who has a name" });
  }
  if (input.firstName === "") errors.push(BLANK_NAME);
  if (input.expiresAt !== undefined && input.expiresAt <= world.at) errors.push(PASSED);
  if (inviter === undefined || errors.length > 0) throw invalidFields(errors);
  return inviter;
}

function nameOf({ fullName, businessInfo }: Customer): string | undefined {
  return fullName ?? businessInfo?.legalName;
}

/** The invitation's amount is in the inviter's first currency. */
function currencyOf({ currencies }: Customer): string | undefined {
  return currencies[0];
}
