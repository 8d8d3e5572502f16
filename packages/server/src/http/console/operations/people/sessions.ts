import { findPerson } from "../../../../domain/people/person.sql.ts";
import { requireThere } from "../../../../domain/people/person.ts";
import { endPersonSessions } from "../../../../domain/people/sessions/end-sessions.ts";
import { listSessions } from "../../../../domain/people/sessions/person-session.sql.ts";
import {
  SessionsSchema,
  sessionsExample,
  sessionsJson,
} from "../../../../wire/people/person-session.ts";
import { defineOperation } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { personInPath, requirePersonId } from "./change-person.ts";

export const listPersonSessions = defineOperation({
  id: "listPersonSessions",
  method: "GET",
  path: "/workspace/people/{personId}/sessions",
  access: "PERSON",
  capability: "people.write",
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

export const deletePersonSessions = defineOperation({
  id: "endPersonSessions",
  method: "DELETE",
  path: "/workspace/people/{personId}/sessions",
  access: "PERSON",
  capability: "people.write",
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
