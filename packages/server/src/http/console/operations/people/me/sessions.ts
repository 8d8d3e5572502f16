import Type from "typebox";
import { endPersonSessions } from "../../../../../domain/people/sessions/end-sessions.ts";
import { listSessions } from "../../../../../domain/people/sessions/person-session.sql.ts";
import { pathId } from "../../../../../wire/id-fields.ts";
import { requireId } from "../../../../../wire/ids.ts";
import {
  SessionsSchema,
  sessionsExample,
  sessionsJson,
} from "../../../../../wire/people/person-session.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";

export const listMySessions = defineOperation({
  id: "listMySessions",
  method: "GET",
  path: "/me/sessions",
  access: "PERSON",
  tag: "Oneself",
  summary: "List one's sessions",
  answers: {
    200: { description: "Newest first.", schema: SessionsSchema, example: sessionsExample },
  },
  refusals: [],
  async handle({ principal }, { reads, clock }: Services) {
    const { workspaceId, personId, sessionId } = principal;
    const sessions = await listSessions(reads, workspaceId, { personId, now: clock.now() });
    return { status: 200, body: sessionsJson(sessions, sessionId) };
  },
});

export const endMySession = defineOperation({
  id: "endMySession",
  method: "DELETE",
  path: "/me/sessions/{sessionId}",
  access: "PERSON",
  tag: "Oneself",
  summary: "End one of one's sessions",
  params: Type.Object({ sessionId: pathId("PersonSession") }),
  answers: { 204: { description: "Ended." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: endPersonSessions,
      input: {
        personId: principal.personId,
        sessionId: requireId("PersonSession", params.sessionId, "REFERENCE_NOT_FOUND"),
        by: null,
      },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    return answered;
  },
});

export const endMySessions = defineOperation({
  id: "endMySessions",
  method: "DELETE",
  path: "/me/sessions",
  access: "PERSON",
  tag: "Oneself",
  summary: "End all of one's sessions",
  description: "Also the session of this call.",
  answers: { 204: { description: "Ended." } },
  refusals: [],
  async handle({ principal }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: endPersonSessions,
      input: { personId: principal.personId, by: null },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    return answered;
  },
});
