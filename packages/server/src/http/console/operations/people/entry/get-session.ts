import { Refusal } from "../../../../../engine/refusal.ts";
import { SessionSchema, sessionExample } from "../../../../../wire/people/session.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { sessionJson } from "./session-answer.ts";

export const getSession = defineOperation({
  id: "getSession",
  method: "GET",
  path: "/session",
  access: "PERSON",
  tag: "Sign-in",
  summary: "Get the session",
  description: "Who is signed in, and what they may do on which platform.",
  answers: {
    200: { description: "The session.", schema: SessionSchema, example: sessionExample },
  },
  refusals: [],
  async handle({ principal }, services: Services) {
    const live = await services.people.sessions.find(principal.key);
    if (live === undefined) throw new Refusal("UNAUTHORIZED");
    return { status: 200, body: await sessionJson(services, live) };
  },
});
