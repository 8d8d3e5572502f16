import { reEnrolOrder } from "../../../../domain/approvals/held-people.ts";
import { hashLinkCode } from "../../../../domain/people/person-link.ts";
import { waitingForPeople } from "../../../../wire/approvals/approval.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { newLinkCode } from "../../link-code.ts";
import { workspacePlace } from "../approvals/find-approval.ts";
import { personInPath, requirePersonId } from "./change-person.ts";
import { InviteSchema, inviteExample, inviteJson, linkUrl } from "./invite.ts";

export const reEnrolPerson = defineOperation({
  id: "reEnrolPerson",
  method: "POST",
  path: "/workspace/people/{personId}/re-enrol",
  access: "PERSON",
  capability: "people.write",
  tag: "People",
  summary: "Issue a link for a new passkey",
  description:
    "For a person who lost their passkeys: good for a day, once. It adds a passkey, ends the old ones and all sessions, and the " +
    "person approves nothing for a day. For one who has not come yet it is a new invitation.",
  params: personInPath,
  answers: {
    201: { description: "The link.", schema: InviteSchema, example: inviteExample },
    202: waitingForPeople,
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, idempotency }, services: Services) {
    const code = newLinkCode();
    const { origin } = services.people.place();
    const { environment, place } = await workspacePlace(services, principal);
    const codeHash = hashLinkCode(code);
    return submitHeld(
      services,
      { ...principal, environment },
      {
        order: reEnrolOrder,
        content: { personId: params.personId, codeHash },
        input: { personId: requirePersonId(params), codeHash, by: principal.personId },
        place,
        issued: { url: linkUrl(origin, "RE_ENROL", code) },
        toAnswer: (issued) => ({ status: 201, body: inviteJson(issued, code, origin) }),
        idempotency,
      },
    );
  },
});
