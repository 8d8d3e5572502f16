import Type from "typebox";
import { claimStart } from "../../../../../domain/people/claim-start.ts";
import { type FoundLink, findLink, hasOwner } from "../../../../../domain/people/person.sql.ts";
import { hashLinkCode, isOpen, unknownLink } from "../../../../../domain/people/person-link.ts";
import { filledText } from "../../../../../wire/fields.ts";
import { SessionSchema, sessionExample } from "../../../../../wire/people/session.ts";
import { defineOperation, type OperationRequest } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { newSessionKey } from "../../../session-cookie.ts";
import { proveRegistration, RegistrationSchema, registrationOptions } from "./passkey-proof.ts";
import { openedAnswer } from "./session-answer.ts";
import { limited, newSession, requireDone, visitOf, visitorHeaders } from "./visitor.ts";

export const codeField = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "From the fragment of the link.",
});

export const emailField = Type.String({ format: "email", maxLength: 254 });

export const OptionsSchema = Type.Object(
  {},
  { description: "The options of `navigator.credentials`, as JSON.", additionalProperties: true },
);

const body = Type.Object({
  code: codeField,
  name: filledText(255),
  email: emailField,
  passkey: Type.Optional(RegistrationSchema),
});

export const start = defineOperation({
  id: "start",
  method: "POST",
  path: "/start",
  access: "PUBLIC",
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Become the first owner of a workspace",
  description:
    "Without `passkey` it answers the options for making one. With it, it makes the owner and opens a session. A code that is " +
    "wrong, used or expired is answered alike.",
  headers: visitorHeaders,
  body,
  requestExample: { code: "mUHlRjFM…", name: "Ana Ruiz", email: "ana@example.com" },
  answers: {
    200: {
      description: "The options, or the session.",
      schema: Type.Union([SessionSchema, OptionsSchema]),
      example: sessionExample,
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN", "CONFLICT"],
  handle: (request, services: Services) =>
    limited(services, { visit: request, named: hashLinkCode(request.body.code) }, async () => {
      const { code, name, email, passkey } = request.body;
      const found = await findLink(services.reads, hashLinkCode(code));
      if (!isOpen(found?.link, services.clock.now()) || found?.link.kind !== "START")
        throw unknownLink();
      if (await hasOwner(services.reads, found.workspaceId)) throw unknownLink();
      if (passkey !== undefined) return claim(request, services, { passkey, ...found });
      const id = services.ids.next(services.clock.now());
      const options = registrationOptions(services, ["start", hashLinkCode(code)], {
        id,
        email,
        name,
      });
      return { status: 200, body: JSON.stringify(options) };
    }),
});

type StartRequest = OperationRequest<unknown, unknown, Type.Static<typeof body>, undefined>;

async function claim(
  request: StartRequest,
  services: Services,
  {
    passkey,
    workspaceId,
  }: FoundLink & { readonly passkey: Type.Static<typeof RegistrationSchema> },
) {
  const { code, name, email } = request.body;
  const codeHash = hashLinkCode(code);
  const proven = await proveRegistration(services, ["start", codeHash], passkey);
  const key = newSessionKey(workspaceId);
  const personId = proven.subject;
  const answered = await services.engine.submit({
    platformId: workspaceId,
    actor: { kind: "person", id: personId },
    act: visitOf(request, name),
    command: claimStart,
    input: {
      codeHash,
      personId,
      name,
      email: email.toLowerCase(),
      passkey: proven.passkey,
      challenge: proven.challenge,
      session: newSession(request, key, services),
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  requireDone(answered);
  return openedAnswer(services, key);
}
