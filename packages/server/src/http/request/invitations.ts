/** What the operations on invitations and the page behind a link have in common: the code in the path, and its link. */
import { type FoundInvitation, findInvitation } from "../../domain/invitations/invitation.sql.ts";
import {
  hashInvitationCode,
  type InvitationLink,
  isInvitationCode,
} from "../../domain/invitations/invitation.ts";
import type { Idempotency } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { withoutSecret } from "./idempotency.ts";
import type { Principal } from "./operation.ts";
import type { Services } from "./services.ts";

export const invitationPath = "/i/{invitationCode}";

export function invitationLink(code: string, { publicUrl }: Services): InvitationLink {
  return { code, url: `${publicUrl()}${invitationPath.replace("{invitationCode}", code)}` };
}

/** What is at a code, or undefined; a code of another form is not even looked for. */
export async function invitationAt(
  code: string,
  { reads }: Services,
): Promise<FoundInvitation | undefined> {
  return isInvitationCode(code) ? findInvitation(reads, hashInvitationCode(code)) : undefined;
}

/** The invitation, of whatever platform. What is in the sandbox does not exist in production, nor the other way. */
export async function requireInvitation(
  code: string,
  principal: Principal,
  services: Services,
): Promise<FoundInvitation> {
  const found = await invitationAt(code, services);
  if (found === undefined || found.environment !== principal.environment) {
    throw new Refusal("INVITATION_NOT_FOUND");
  }
  return found;
}

/** The log holds the code's hash, so a reader of the log cannot open a live invitation. */
export function withoutCode(
  idempotency: Idempotency | undefined,
  code: string,
): Idempotency | undefined {
  return withoutSecret(idempotency, { secret: code, hash: hashInvitationCode(code) });
}
