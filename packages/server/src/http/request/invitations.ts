/** The invitation code in a path and the link of an invitation. */
import {
  type FoundInvitation,
  findInvitation,
} from "../../domain/uma/invitations/invitation.sql.ts";
import {
  hashInvitationCode,
  type InvitationLink,
  isInvitationCode,
} from "../../domain/uma/invitations/invitation.ts";
import type { Idempotency } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { withoutSecret } from "./idempotency.ts";
import type { Principal } from "./operation.ts";
import type { Services } from "./services.ts";

export const invitationPath = "/i/{invitationCode}";

export function invitationLink(code: string, { publicUrl }: Services): InvitationLink {
  return { code, url: `${publicUrl()}${invitationPath.replace("{invitationCode}", code)}` };
}

/** The invitation of a code, or undefined. A malformed code is not looked up. */
export async function invitationAt(
  code: string,
  { reads }: Services,
): Promise<FoundInvitation | undefined> {
  return isInvitationCode(code) ? findInvitation(reads, hashInvitationCode(code)) : undefined;
}

/** The invitation, of any platform of the same environment. */
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

/** The log stores the code's hash, so a reader of the log cannot open a pending invitation. */
export function withoutCode(
  idempotency: Idempotency | undefined,
  code: string,
): Idempotency | undefined {
  return withoutSecret(idempotency, { secret: code, hash: hashInvitationCode(code) });
}
