import Type from "typebox";
import { findPasskeysOf } from "../../../../domain/people/person.sql.ts";
import { signOut as signOutCommand } from "../../../../domain/people/sessions/end-sessions.ts";
import { stepUp as stepUpCommand } from "../../../../domain/people/sessions/sign-in.ts";
import { unproven } from "../../../../domain/people/single-use.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { SessionSchema, sessionExample } from "../../../../wire/people/session.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { clearCookie, hashOfSecret, newSessionKey } from "../../session-cookie.ts";
import { noteCopied } from "./counter-back.ts";
import { OptionsSchema } from "./entry.ts";
import { AssertionSchema, assertionOptions, judgeAssertion } from "./passkey-proof.ts";
import { openedAnswer, sessionJson } from "./session-answer.ts";
import { requireDone } from "./visitor.ts";

const signOut = defineOperation({
  id: "signOut",
  ...route("POST /sign-out", "PERSON"),
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Sign out",
  description: "Ends the session, on every server within a second.",
  answers: { 204: { description: "Ended." } },
  refusals: [],
  async handle({ principal }, { engine, people }: Services) {
    const { personId, sessionId } = principal;
    const answered = await submitForCaller(engine, principal, {
      command: signOutCommand,
      input: { personId, sessionId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    const cleared = ["Set-Cookie", clearCookie(people.place())];
    return { ...answered, notes: [...cleared, "Clear-Site-Data", '"cache","storage"'] };
  },
});

const stepUp = defineOperation({
  id: "stepUp",
  ...route("POST /step-up", "PERSON"),
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Show a passkey again",
  description:
    "Without `passkey` it answers the options for showing one. With it, the session is replaced by a new one that ends when the " +
    "old one would have ended, and acts that need a passkey are open for five minutes.",
  body: Type.Object({ passkey: Type.Optional(AssertionSchema) }),
  requestExample: {},
  answers: {
    200: {
      description: "The options, or the session.",
      schema: Type.Union([SessionSchema, OptionsSchema]),
      example: sessionExample,
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, body: { passkey } }, services: Services) {
    const { workspaceId, personId, sessionId, act } = principal;
    if (passkey === undefined) {
      const own = await findPasskeysOf(services.reads, workspaceId, [personId]);
      const allowed = own.map(({ credentialId }) => credentialId);
      const options = assertionOptions(services, ["step-up", sessionId], { allowed });
      return { status: 200, body: JSON.stringify(options) };
    }
    return services.people.failedProofs.run(`step-up ${personId}`, async () => {
      const judged = await judgeAssertion(services, ["step-up", sessionId], passkey);
      if (judged.kind === "unproven") {
        if (judged.mayBeCopied && judged.of?.workspaceId === workspaceId)
          await noteCopied(services, principal, judged.of.passkey.id);
        throw unproven();
      }
      if (judged.workspaceId !== workspaceId) throw unproven();
      const { signCount, isSynced, challenge } = judged;
      const key = newSessionKey(workspaceId);
      const answered = await submitForCaller(services.engine, principal, {
        command: stepUpCommand,
        input: {
          personId,
          passkeyId: judged.passkey.id,
          signCount,
          isSynced,
          challenge,
          sessionId,
          session: {
            secretHash: hashOfSecret(key.secret),
            address: act.address,
            userAgent: act.userAgent,
          },
        },
        toAnswer: () => ({ status: 200, body: "" }),
      });
      requireDone(answered);
      return openedAnswer(services, key);
    });
  },
});

const getSession = defineOperation({
  id: "getSession",
  ...route("GET /session", "PERSON"),
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

export const ownSessionOperations = [signOut, stepUp, getSession];
