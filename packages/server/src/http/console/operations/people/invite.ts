import Type from "typebox";
import { inviteOrder } from "../../../../domain/approvals/held-people.ts";
import type { Invited } from "../../../../domain/people/invite-person.ts";
import { hashLinkCode, type LinkKind } from "../../../../domain/people/person-link.ts";
import { toIso } from "../../../../std/clock.ts";
import { toWireId } from "../../../../std/ids.ts";
import { sensitive } from "../../../../validation/schema.ts";
import { waitingForPeople } from "../../../../wire/approvals/approval.ts";
import { DateTimeSchema, filledText } from "../../../../wire/fields.ts";
import { PersonSchema, personExample, personToWire } from "../../../../wire/people/person.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { newLinkCode } from "../../link-code.ts";
import { workspacePlace } from "../approvals/find-approval.ts";
import { emailField } from "../entry/start.ts";
import { grantsField, requireGrants } from "./role-grants.ts";

export const InviteSchema = Type.Object(
  {
    id: Type.String({ description: "`PersonInvite:<uuid>`" }),
    person: PersonSchema,
    url: Type.String({ ...sensitive, description: "The page to send to the person; shown once." }),
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

export function inviteJson({ person, link }: Invited, code: string, origin: string): string {
  return JSON.stringify({
    id: toWireId("PersonInvite", link.id),
    person: personToWire(person, { passkeys: [], lastSeenAt: undefined }),
    url: linkUrl(origin, link.kind, code),
    expiresAt: toIso(link.expiresAt),
  });
}

/** The page to send to the person. */
export function linkUrl(origin: string, kind: LinkKind, code: string): string {
  return `${origin}/console/${kind === "INVITE" ? "invite" : "re-enrol"}#${code}`;
}

export const createInvite = defineOperation({
  id: "createInvite",
  method: "POST",
  path: "/workspace/invites",
  access: "PERSON",
  capability: "people.write",
  tag: "People",
  summary: "Invite a person",
  description: "The link is good for a week, once, and for this address alone.",
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
    const { reads, ids, clock, people } = services;
    const code = newLinkCode();
    const { origin } = people.place();
    const roles = await requireGrants(reads, principal.workspaceId, body.roles);
    const { environment, place, productionIds } = await workspacePlace(services, principal);
    const content = {
      personId: ids.next(clock.now()),
      email: body.email.toLowerCase(),
      name: body.name,
      roles,
      codeHash: hashLinkCode(code),
    };
    return submitHeld(
      services,
      { ...principal, environment },
      {
        order: inviteOrder,
        content,
        input: { ...content, by: principal.personId, productionIds },
        place,
        issued: { url: linkUrl(origin, "INVITE", code) },
        toAnswer: (invited) => ({ status: 201, body: inviteJson(invited, code, origin) }),
        idempotency,
      },
    );
  },
});
