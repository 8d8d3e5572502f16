import { signOut as command } from "../../../../../domain/people/sessions/end-sessions.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";
import { clearCookie } from "../../../session-cookie.ts";

export const signOut = defineOperation({
  id: "signOut",
  method: "POST",
  path: "/sign-out",
  access: "PERSON",
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Sign out",
  description: "Ends the session, on every server within a second.",
  answers: { 204: { description: "Ended." } },
  refusals: [],
  async handle({ principal }, { engine, people }: Services) {
    const { personId, sessionId } = principal;
    const answered = await submitForCaller(engine, principal, {
      command,
      input: { personId, sessionId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    const cleared = ["Set-Cookie", clearCookie(people.place())];
    return { ...answered, notes: [...cleared, "Clear-Site-Data", '"cache","storage"'] };
  },
});
