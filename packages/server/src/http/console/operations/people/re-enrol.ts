import { reEnrolOrder } from "../../../../domain/people/approvals/held-people.ts";
import { findPerson } from "../../../../domain/people/person.sql.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { type NewLink, newLink } from "../../link-code.ts";
import { workspacePlace } from "./approvals/find-approval.ts";
import { personInPath, requirePersonId } from "./change-person.ts";
import { InviteSchema, inviteExample, inviteJson } from "./invite.ts";

export const reEnrolPerson = defineOperation({
  id: "reEnrolPerson",
  method: "POST",
  path: "/workspace/people/{personId}/re-enrol",
  access: "PERSON",
  capability: "people.write",
  tag: "People",
  summary: "Issue a link for a new passkey",
  description:
    "For a person who lost their passkeys: good for a day, once. It goes where that of an invitation goes. It adds a passkey, ends the old ones and all sessions, and the " +
    "person approves nothing for a day. For one who has not come yet it is a new invitation.",
  params: personInPath,
  answers: {
    201: { description: "The link.", schema: InviteSchema, example: inviteExample },
    202: waitingForPeople,
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const { environment, place } = await workspacePlace(services, principal);
    const personId = requirePersonId(params);
    const { url, ...link } = await linkFor(services, {
      workspaceId: principal.workspaceId,
      personId,
    });
    return submitHeld(
      services,
      { ...principal, environment },
      {
        order: reEnrolOrder,
        content: { personId: params.personId },
        input: { personId, ...link, by: principal.personId },
        place,
        toAnswer: (issued) => ({ status: 201, body: inviteJson(issued, url) }),
        idempotency,
      },
    );
  },
});

/** A new link for a person: another invitation for one who has not come yet. */
export async function linkFor(
  services: Services,
  { workspaceId, personId }: { readonly workspaceId: string; readonly personId: string },
): Promise<NewLink> {
  const person = await findPerson(services.reads, workspaceId, personId);
  return newLink(services, workspaceId, person?.state === "INVITED" ? "INVITE" : "RE_ENROL");
}
