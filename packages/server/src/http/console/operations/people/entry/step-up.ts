import Type from "typebox";
import { findPasskeysOf } from "../../../../../domain/people/person.sql.ts";
import { stepUp as command } from "../../../../../domain/people/sessions/sign-in.ts";
import { unproven } from "../../../../../domain/people/single-use.ts";
import { SessionSchema, sessionExample } from "../../../../../wire/people/session.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";
import { hashOfSecret, newSessionKey } from "../../../session-cookie.ts";
import { noteCopied } from "./counter-back.ts";
import { AssertionSchema, assertionOptions, judgeAssertion } from "./passkey-proof.ts";
import { openedAnswer } from "./session-answer.ts";
import { OptionsSchema } from "./start.ts";
import { requireDone } from "./visitor.ts";

export const stepUp = defineOperation({
  id: "stepUp",
  method: "POST",
  path: "/step-up",
  access: "PERSON",
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
        command,
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
