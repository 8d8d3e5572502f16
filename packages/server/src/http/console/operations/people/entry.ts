import Type from "typebox";
import { acceptLink } from "../../../../domain/people/accept-link.ts";
import {
  type FoundLink,
  findLink,
  findPerson,
  hasOwner,
} from "../../../../domain/people/person.sql.ts";
import { hashLinkCode, isOpen, unknownLink } from "../../../../domain/people/person-link.ts";
import {
  noteCounterBack,
  noteRefusedSignIn,
} from "../../../../domain/people/sessions/note-refused-sign-in.ts";
import { signIn } from "../../../../domain/people/sessions/sign-in.ts";
import { domainOf } from "../../../../domain/people/single-sign-on/judge-identity.ts";
import {
  listSsoIssuers,
  workspaceOfSsoName,
} from "../../../../domain/people/single-sign-on/sso.sql.ts";
import { unproven } from "../../../../domain/people/single-use.ts";
import { claimStart } from "../../../../domain/people/start-link.ts";
import { findWorkspace } from "../../../../domain/people/workspaces/workspace.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { sha256Hex } from "../../../../std/digest.ts";
import { toWireId } from "../../../../std/ids.ts";
import { filledText } from "../../../../wire/fields.ts";
import { SessionSchema, sessionExample } from "../../../../wire/people/session.ts";
import { SsoChoicesSchema, ssoChoicesExample } from "../../../../wire/people/sso.ts";
import { defineOperation, type OperationRequest, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { newSessionKey } from "../../session-cookie.ts";
import { SSO_START } from "../../sso/sso-pages.ts";
import {
  AssertionSchema,
  assertionOptions,
  type JudgedAssertion,
  judgeAssertion,
  proveRegistration,
  RegistrationSchema,
  registrationOptions,
} from "./passkey-proof.ts";
import { openedAnswer } from "./session-answer.ts";
import { limited, newSession, requireDone, visitOf, visitorHeaders } from "./visitor.ts";

const codeField = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "From the fragment of the link.",
});

export const emailField = Type.String({ format: "email", maxLength: 254 });

export const OptionsSchema = Type.Object(
  {},
  { description: "The options of `navigator.credentials`, as JSON.", additionalProperties: true },
);

const startBody = Type.Object({
  code: codeField,
  name: filledText(255),
  email: emailField,
  passkey: Type.Optional(RegistrationSchema),
});

const start = defineOperation({
  id: "start",
  ...route("POST /start", "PUBLIC"),
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Become the first owner of a workspace",
  description:
    "Without `passkey` it answers the options for making one. With it, it makes the owner and opens a session. A code that is " +
    "wrong, used or expired is answered alike.",
  headers: visitorHeaders,
  body: startBody,
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

type StartRequest = OperationRequest<unknown, unknown, Type.Static<typeof startBody>, undefined>;

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

const acceptBody = Type.Object({ email: emailField, passkey: Type.Optional(RegistrationSchema) });

type AcceptRequest = OperationRequest<
  { readonly code: string },
  unknown,
  Type.Static<typeof acceptBody>,
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
  body: acceptBody,
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

const acceptInvite = defineOperation({
  ...shared,
  id: "acceptInvite",
  path: "/invites/{code}/accept",
  summary: "Accept an invitation",
  description: `${STEPS} With it, it makes the passkey and opens a session.`,
  handle: (request, services: Services) => accept("INVITE", request, services),
});

const acceptReEnrolment = defineOperation({
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

const signInBody = Type.Object({ passkey: Type.Optional(AssertionSchema) });

const signInWithPasskey = defineOperation({
  id: "signInWithPasskey",
  ...route("POST /sign-in/passkey", "PUBLIC"),
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Sign in with a passkey",
  description:
    "Without `passkey` it answers the options for showing one. With it, it opens a session. After ten failures of a passkey, or " +
    "sixty of an address, in ten minutes it answers 429.",
  headers: visitorHeaders,
  body: signInBody,
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

type SignInRequest = OperationRequest<unknown, unknown, Type.Static<typeof signInBody>, undefined>;

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
    command: signIn,
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

/** Refuses the attempt, and records it when the passkey that it names is known. */
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

const findIssuers = defineOperation({
  id: "findIssuers",
  ...route("POST /sign-in/sso", "PUBLIC"),
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Find the issuers of a workspace",
  description:
    "By a name of the workspace or an address. Of an address the domain alone counts, so the answer does not tell whether there is " +
    "a person with it. After ten names that lead nowhere, or sixty of an address, in ten minutes it answers 429.",
  body: Type.Object({ workspace: filledText(320) }),
  requestExample: { workspace: "ana@acme.example" },
  answers: {
    200: {
      description: "The issuers.",
      schema: SsoChoicesSchema,
      example: ssoChoicesExample,
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"],
  handle(request, services: Services) {
    const name = domainOf(request.body.workspace.trim().toLowerCase());
    return limited(services, { visit: request, named: `sso name ${name}` }, async () => {
      const { reads } = services;
      const workspaceId = await workspaceOfSsoName(reads, name);
      if (workspaceId === undefined) throw nothingFound();
      const [workspace, issuers] = await Promise.all([
        findWorkspace(reads, workspaceId),
        listSsoIssuers(reads, workspaceId),
      ]);
      if (issuers.length === 0) throw nothingFound();
      const body = {
        workspace: workspace?.name ?? "",
        issuers: issuers.map(({ id, name: shown, issuer }) => ({
          id: toWireId("SsoIssuer", id),
          name: shown,
          host: new URL(issuer).host,
          url: `${SSO_START}?${new URLSearchParams({ workspace: name, issuer: toWireId("SsoIssuer", id) })}`,
        })),
      };
      return { status: 200, body: JSON.stringify(body) };
    });
  },
});

function nothingFound(): Refusal {
  return new Refusal(
    "NOT_FOUND",
    undefined,
    "No workspace of this name, or with this domain, signs in by an issuer. Ask an owner for its name.",
  );
}

export const entryOperations = [
  start,
  acceptInvite,
  acceptReEnrolment,
  signInWithPasskey,
  findIssuers,
];
