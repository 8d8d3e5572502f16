import { reEnrolOrder } from "../../../../domain/people/approvals/held-people.ts";
import { findPerson } from "../../../../domain/people/person.sql.ts";
import { requireThere } from "../../../../domain/people/person.ts";
import { endPersonSessions } from "../../../../domain/people/sessions/end-sessions.ts";
import { listSessions } from "../../../../domain/people/sessions/person-session.sql.ts";
import { endIdentities } from "../../../../domain/people/single-sign-on/end-identities.ts";
import { waitingForPeople } from "../../../../wire/people/approval.ts";
import { wireInvite } from "../../../../wire/people/person.ts";
import {
  SessionsSchema,
  sessionsExample,
  sessionsJson,
} from "../../../../wire/people/person-session.ts";
import { submitHeld } from "../../../approvals/submit-held.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { type NewLink, newLink } from "../../link-code.ts";
import { workspacePlace } from "./find-approval.ts";
import { personInPath, requirePersonId } from "./people.ts";

const reEnrolPerson = defineOperation({
  id: "reEnrolPerson",
  ...route("POST /workspace/people/{personId}/re-enrol", "PERSON", "people.write"),
  tag: "People",
  summary: "Issue a link for a new passkey",
  description:
    "For a person who lost their passkeys: good for a day, once. It goes where that of an invitation goes. It adds a passkey, ends the old ones and all sessions, and the " +
    "person approves nothing for a day. For one who has not come yet it is a new invitation.",
  params: personInPath,
  answers: {
    201: shown(wireInvite, "The link."),
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
        toAnswer: (issued) => ({ status: 201, body: wireInvite.json(issued, url) }),
        idempotency,
      },
    );
  },
});

/** A new link for a person: an invitation while the person has not accepted one, otherwise a re-enrolment. */
export async function linkFor(
  services: Services,
  { workspaceId, personId }: { readonly workspaceId: string; readonly personId: string },
): Promise<NewLink> {
  const person = await findPerson(services.reads, workspaceId, personId);
  return newLink(services, workspaceId, person?.state === "INVITED" ? "INVITE" : "RE_ENROL");
}

const listPersonSessions = defineOperation({
  id: "listPersonSessions",
  ...route("GET /workspace/people/{personId}/sessions", "PERSON", "people.write"),
  tag: "People",
  summary: "List the sessions of a person",
  params: personInPath,
  answers: {
    200: { description: "Newest first.", schema: SessionsSchema, example: sessionsExample },
  },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { reads, clock }: Services) {
    const personId = requirePersonId(params);
    requireThere(await findPerson(reads, principal.workspaceId, personId));
    const now = clock.now();
    const sessions = await listSessions(reads, principal.workspaceId, { personId, now });
    return { status: 200, body: sessionsJson(sessions, principal.sessionId) };
  },
});

const deletePersonSessions = defineOperation({
  id: "endPersonSessions",
  ...route("DELETE /workspace/people/{personId}/sessions", "PERSON", "people.write"),
  tag: "People",
  summary: "End all sessions of a person",
  params: personInPath,
  answers: { 204: { description: "Ended." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: endPersonSessions,
      input: { personId: requirePersonId(params), by: principal.personId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    return answered;
  },
});

const deletePersonIdentities = defineOperation({
  id: "deletePersonIdentities",
  ...route("DELETE /workspace/people/{personId}/identities", "PERSON", "people.write"),
  tag: "People",
  summary: "End the bindings of a person to issuers",
  description:
    "For a person whose account at an issuer was made anew. All sessions of the person end; the next sign-in binds by the verified " +
    "address again.",
  params: personInPath,
  answers: { 204: { description: "Ended." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: endIdentities,
      input: { personId: requirePersonId(params), by: principal.personId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    return answered;
  },
});

export const personAccessOperations = [
  reEnrolPerson,
  listPersonSessions,
  deletePersonSessions,
  deletePersonIdentities,
];
