import Type from "typebox";
import { findPerson } from "../../../../../domain/people/person.sql.ts";
import {
  noteCounterBack,
  noteRefusedSignIn,
} from "../../../../../domain/people/sessions/note-refused-sign-in.ts";
import { signIn as command } from "../../../../../domain/people/sessions/sign-in.ts";
import { unproven } from "../../../../../domain/people/single-use.ts";
import { sha256Hex } from "../../../../../std/digest.ts";
import { toWireId } from "../../../../../std/ids.ts";
import { SessionSchema, sessionExample } from "../../../../../wire/people/session.ts";
import { defineOperation, type OperationRequest } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { newSessionKey } from "../../../session-cookie.ts";
import {
  AssertionSchema,
  assertionOptions,
  type JudgedAssertion,
  judgeAssertion,
} from "./passkey-proof.ts";
import { openedAnswer } from "./session-answer.ts";
import { OptionsSchema } from "./start.ts";
import { limited, newSession, requireDone, visitOf, visitorHeaders } from "./visitor.ts";

const body = Type.Object({ passkey: Type.Optional(AssertionSchema) });

export const signInWithPasskey = defineOperation({
  id: "signInWithPasskey",
  method: "POST",
  path: "/sign-in/passkey",
  access: "PUBLIC",
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Sign in with a passkey",
  description:
    "Without `passkey` it answers the options for showing one. With it, it opens a session. After ten failures of a passkey, or " +
    "sixty of an address, in ten minutes it answers 429.",
  headers: visitorHeaders,
  body,
  requestExample: {},
  answers: {
    200: {
      description: "The options, or the session.",
      schema: Type.Union([SessionSchema, OptionsSchema]),
      example: sessionExample,
    },
  },
  refusals: ["INVALID_INPUT", "UNAUTHORIZED", "FORBIDDEN"],
  async handle(request, services: Services) {
    const { passkey } = request.body;
    if (passkey === undefined) {
      const options = assertionOptions(services, ["sign-in"]);
      return { status: 200, body: JSON.stringify(options) };
    }
    const named = `passkey ${sha256Hex(passkey.id)}`;
    return limited(services, { visit: request, named }, async () => {
      const judged = await judgeAssertion(services, ["sign-in"], passkey);
      if (judged.kind === "unproven") return refuse(request, services, judged);
      return open(request, services, judged);
    });
  },
});

type SignInRequest = OperationRequest<unknown, unknown, Type.Static<typeof body>, undefined>;

async function open(
  request: SignInRequest,
  services: Services,
  judged: Extract<JudgedAssertion, { readonly kind: "proven" }>,
) {
  const { workspaceId, passkey, signCount, isSynced, challenge } = judged;
  const { personId, id: passkeyId } = passkey;
  const person = await findPerson(services.reads, workspaceId, personId);
  const key = newSessionKey(workspaceId);
  const answered = await services.engine.submit({
    platformId: workspaceId,
    actor: { kind: "person", id: personId },
    act: visitOf(request, person?.name ?? null),
    command,
    input: {
      personId,
      passkeyId,
      signCount,
      isSynced,
      challenge,
      session: newSession(request, key, services),
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  requireDone(answered);
  return openedAnswer(services, key);
}

/** Notes the attempt where the passkey that it names is known. */
async function refuse(
  request: SignInRequest,
  { engine }: Services,
  { of, mayBeCopied }: Extract<JudgedAssertion, { readonly kind: "unproven" }>,
): Promise<never> {
  if (of === undefined) throw unproven();
  const { workspaceId, passkey } = of;
  const noted = {
    platformId: workspaceId,
    actor: { kind: "person", id: passkey.personId },
    act: { ...visitOf(request), target: toWireId("Passkey", passkey.id) },
    toAnswer: () => ({ status: 200, body: "" }),
  } as const;
  if (mayBeCopied) {
    const input = { passkeyId: passkey.id };
    await engine.submit({ ...noted, command: noteCounterBack, input });
  } else await engine.submit({ ...noted, command: noteRefusedSignIn, input: undefined });
  throw unproven();
}
