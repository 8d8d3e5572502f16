import Type from "typebox";
import { inviteOrder } from "../../../../domain/people/approvals/held-people.ts";
import type { Invited } from "../../../../domain/people/invite-person.ts";
import { toIso } from "../../../../std/clock.ts";
import { toWireId } from "../../../../std/ids.ts";
import { sensitive } from "../../../../validation/schema.ts";
import { DateTimeSchema, filledText, optional } from "../../../../wire/fields.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import { PersonSchema, personExample, personToWire } from "../../../../wire/people/person.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { newLink } from "../../link-code.ts";
import { workspacePlace } from "./approvals/find-approval.ts";
import { emailField } from "./entry/start.ts";
import { grantsField, requireGrants } from "./role-grants.ts";

export const InviteSchema = Type.Object(
  {
    id: Type.String({ description: "`PersonInvite:<uuid>`" }),
    person: PersonSchema,
    url: Type.Optional(
      Type.String({
        ...sensitive,
        description:
          "The page to send to the person, shown once. Absent where the deployment has a mail server, which brings it.",
      }),
    ),
    expiresAt: DateTimeSchema,
  },
  { $id: "PersonInvite" },
);

export const inviteExample = {
  id: "PersonInvite:019a4f00-0000-7000-8000-000000000024",
  person: { ...personExample, state: "INVITED", passkeys: [] },
  url: "http://localhost:8080/console/invite#mUHlRjFM…",
  expiresAt: "2026-11-28T09:00:00.000Z",
};

export function inviteJson({ person, link }: Invited, url: string | undefined): string {
  return JSON.stringify({
    id: toWireId("PersonInvite", link.id),
    person: personToWire(person, { passkeys: [], lastSeenAt: undefined }),
    ...optional("url", url ?? null),
    expiresAt: toIso(link.expiresAt),
  });
}

export const createInvite = defineOperation({
  id: "createInvite",
  method: "POST",
  path: "/workspace/invites",
  access: "PERSON",
  capability: "people.write",
  tag: "People",
  summary: "Invite a person",
  description:
    "The link is good for a week, once, and for this address alone. It goes there by mail where the deployment has a mail server. Without one it is in " +
    "the answer to you or, where another owner agrees to the invitation, in the answer to their decision.",
  body: Type.Object({ email: emailField, name: filledText(255), roles: grantsField }),
  requestExample: {
    email: "ben@example.com",
    name: "Ben Stone",
    roles: [{ platformId: null, roles: ["DEVELOPER"] }],
  },
  answers: {
    201: { description: "The invitation.", schema: InviteSchema, example: inviteExample },
    202: waitingForPeople,
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, idempotency }, services: Services) {
    const { reads, ids, clock } = services;
    const { codeHash, urlSealed, url } = newLink(services, principal.workspaceId, "INVITE");
    const roles = await requireGrants(reads, principal.workspaceId, body.roles);
    const { environment, place, productionIds } = await workspacePlace(services, principal);
    const content = {
      personId: ids.next(clock.now()),
      email: body.email.toLowerCase(),
      name: body.name,
      roles,
    };
    return submitHeld(
      services,
      { ...principal, environment },
      {
        order: inviteOrder,
        content,
        input: { ...content, codeHash, urlSealed, by: principal.personId, productionIds },
        place,
        toAnswer: (invited) => ({ status: 201, body: inviteJson(invited, url) }),
        idempotency,
      },
    );
  },
});
