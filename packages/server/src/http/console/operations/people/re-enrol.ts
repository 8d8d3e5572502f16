import { issueReEnrolment } from "../../../../domain/people/issue-re-enrolment.ts";
import { hashLinkCode } from "../../../../domain/people/person-link.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { newLinkCode } from "../../link-code.ts";
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
    "For a person who lost their passkeys: good for a day, once. It adds a passkey, ends the old ones and all sessions, and the " +
    "person approves nothing for a day. For one who has not come yet it is a new invitation.",
  params: personInPath,
  answers: {
    201: { description: "The link.", schema: InviteSchema, example: inviteExample },
  },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, idempotency }, { engine, people }: Services) {
    const code = newLinkCode();
    const { origin } = people.place();
    return submitForCaller(engine, principal, {
      command: issueReEnrolment,
      input: {
        personId: requirePersonId(params),
        codeHash: hashLinkCode(code),
        by: principal.personId,
      },
      toAnswer: (issued) => ({ status: 201, body: inviteJson(issued, code, origin) }),
      idempotency,
      secret: true,
    });
  },
});
