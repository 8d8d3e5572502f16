import Type from "typebox";
import { acceptLink } from "../../../../../domain/people/accept-link.ts";
import { type FoundLink, findLink, findPerson } from "../../../../../domain/people/person.sql.ts";
import { hashLinkCode, isOpen, unknownLink } from "../../../../../domain/people/person-link.ts";
import { SessionSchema, sessionExample } from "../../../../../wire/people/session.ts";
import { defineOperation, type OperationRequest } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { newSessionKey } from "../../../session-cookie.ts";
import { proveRegistration, RegistrationSchema, registrationOptions } from "./passkey-proof.ts";
import { openedAnswer } from "./session-answer.ts";
import { codeField, emailField, OptionsSchema } from "./start.ts";
import { limited, newSession, requireDone, visitOf, visitorHeaders } from "./visitor.ts";

const body = Type.Object({ email: emailField, passkey: Type.Optional(RegistrationSchema) });

type AcceptRequest = OperationRequest<
  { readonly code: string },
  unknown,
  Type.Static<typeof body>,
  undefined
>;

type Kind = "INVITE" | "RE_ENROL";

const shared = {
  method: "POST",
  access: "PUBLIC",
  ignoresKey: true,
  tag: "Sign-in",
  headers: visitorHeaders,
  params: Type.Object({ code: codeField }),
  body,
  requestExample: { email: "ana@example.com" },
  answers: {
    200: {
      description: "The options, or the session.",
      schema: Type.Union([SessionSchema, OptionsSchema]),
      example: sessionExample,
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND", "UNAUTHORIZED", "FORBIDDEN"],
} as const;

const STEPS =
  "`email` is the address that the link was made for. Without `passkey` it answers the options for making one. A code that is " +
  "wrong, used, expired or of another address is answered alike.";

export const acceptInvite = defineOperation({
  ...shared,
  id: "acceptInvite",
  path: "/invites/{code}/accept",
  summary: "Accept an invitation",
  description: `${STEPS} With it, it makes the passkey and opens a session.`,
  handle: (request, services: Services) => accept("INVITE", request, services),
});

export const acceptReEnrolment = defineOperation({
  ...shared,
  id: "acceptReEnrolment",
  path: "/re-enrolments/{code}/accept",
  summary: "Make a new passkey in place of lost ones",
  description: `${STEPS} With it, it makes the passkey, ends the old ones and all sessions, and opens a session.`,
  handle: (request, services: Services) => accept("RE_ENROL", request, services),
});

function accept(kind: Kind, request: AcceptRequest, services: Services) {
  const codeHash = hashLinkCode(request.params.code);
  return limited(services, { visit: request, named: codeHash }, async () => {
    const { email, passkey } = request.body;
    const found = await findLink(services.reads, codeHash);
    if (!isOpen(found?.link, services.clock.now()) || found?.link.kind !== kind)
      throw unknownLink();
    const person = await findPerson(services.reads, found.workspaceId, found.link.personId ?? "");
    if (person?.email !== email.toLowerCase()) throw unknownLink();
    if (passkey === undefined) {
      const options = registrationOptions(services, ["link", codeHash], person);
      return { status: 200, body: JSON.stringify(options) };
    }
    return complete({ kind, request, services }, { ...found, passkey, name: person.name });
  });
}

async function complete(
  {
    kind,
    request,
    services,
  }: { readonly kind: Kind; readonly request: AcceptRequest; readonly services: Services },
  {
    workspaceId,
    link,
    passkey,
    name,
  }: FoundLink & {
    readonly passkey: Type.Static<typeof RegistrationSchema>;
    readonly name: string;
  },
) {
  const { codeHash } = link;
  const proven = await proveRegistration(services, ["link", codeHash], passkey);
  const key = newSessionKey(workspaceId);
  const answered = await services.engine.submit({
    platformId: workspaceId,
    actor: { kind: "person", id: link.personId ?? "" },
    act: visitOf(request, name),
    command: acceptLink,
    input: {
      kind,
      codeHash,
      email: request.body.email.toLowerCase(),
      passkey: proven.passkey,
      challenge: proven.challenge,
      session: newSession(request, key, services),
    },
    toAnswer: () => ({ status: 200, body: "" }),
  });
  requireDone(answered);
  return openedAnswer(services, key);
}
