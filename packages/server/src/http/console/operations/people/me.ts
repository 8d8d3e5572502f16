import Type from "typebox";
import { addPasskey, deletePasskey } from "../../../../domain/people/passkey-commands.ts";
import { findPasskeysOf, findPerson } from "../../../../domain/people/person.sql.ts";
import { requireThere } from "../../../../domain/people/person.ts";
import { endPersonSessions } from "../../../../domain/people/sessions/end-sessions.ts";
import { listSessions } from "../../../../domain/people/sessions/person-session.sql.ts";
import { unproven } from "../../../../domain/people/single-use.ts";
import { updateMe as updateMeCommand } from "../../../../domain/people/update-me.ts";
import { filledText } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import { shownPasskey, wirePerson } from "../../../../wire/people/person.ts";
import {
  SessionsSchema,
  sessionsExample,
  sessionsJson,
} from "../../../../wire/people/person-session.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";
import { OptionsSchema } from "./entry.ts";
import {
  nicknameField,
  proveRegistration,
  RegistrationSchema,
  registrationOptions,
} from "./passkey-proof.ts";

const answers = {
  200: shown(wirePerson, "The person."),
} as const;

const getMe = defineOperation({
  id: "getMe",
  ...route("GET /me", "PERSON"),
  tag: "Oneself",
  summary: "Get oneself",
  answers,
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const { workspaceId, personId } = principal;
    const person = requireThere(await findPerson(reads, workspaceId, personId));
    const passkeys = await findPasskeysOf(reads, workspaceId, [personId]);
    const body = wirePerson.json(person, { passkeys, lastSeenAt: undefined });
    return { status: 200, body };
  },
});

const updateMe = defineOperation({
  id: "updateMe",
  ...route("PATCH /me", "PERSON"),
  tag: "Oneself",
  summary: "Change oneself",
  description: "Null takes a language or a time zone away.",
  body: Type.Object({
    name: Type.Optional(filledText(255)),
    locale: Type.Optional(
      Type.Union([
        Type.String({ pattern: "^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$" }),
        Type.Null(),
      ]),
    ),
    timeZone: Type.Optional(
      Type.Union([Type.String({ pattern: "^[A-Za-z0-9_+/-]{1,64}$" }), Type.Null()]),
    ),
    isPuttingOffPasskey: Type.Optional(
      Type.Literal(true, {
        description: "A second passkey is put off; the console does not ask for it again.",
      }),
    ),
  }),
  requestExample: { name: "Ana Ruiz", timeZone: "Europe/Madrid" },
  answers,
  refusals: ["INVALID_INPUT"],
  async handle({ principal, body }, { engine, reads, people }: Services) {
    const { workspaceId, personId } = principal;
    const { name, locale, timeZone, isPuttingOffPasskey } = body;
    const passkeys = await findPasskeysOf(reads, workspaceId, [personId]);
    const answered = await submitForCaller(engine, principal, {
      command: updateMeCommand,
      input: { personId, name, locale, timeZone, isPuttingOffPasskey },
      toAnswer: (person) => ({
        status: 200,
        body: wirePerson.json(person, { passkeys, lastSeenAt: undefined }),
      }),
    });
    people.sessions.forget();
    return answered;
  },
});

const listPasskeys = defineOperation({
  id: "listPasskeys",
  ...route("GET /me/passkeys", "PERSON"),
  tag: "Oneself",
  summary: "List one's passkeys",
  answers: {
    200: {
      description: "Oldest first.",
      schema: Type.Object({ data: Type.Array(shownPasskey.schema) }),
      example: { data: [shownPasskey.example] },
    },
  },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const own = await findPasskeysOf(reads, principal.workspaceId, [principal.personId]);
    return { status: 200, body: `{"data":[${own.map(shownPasskey.json).join(",")}]}` };
  },
});

const createPasskey = defineOperation({
  id: "createPasskey",
  ...route("POST /me/passkeys", "PERSON"),
  needsProof: true,
  ignoresKey: true,
  tag: "Oneself",
  summary: "Add a passkey",
  description:
    "Without `passkey` it answers the options for making one. Needs a passkey that was shown in the last five minutes. For the first one " +
    "a fresh sign-in at an issuer is enough; the person approves nothing for 24 hours after it.",
  body: Type.Object({ nickname: nicknameField, passkey: Type.Optional(RegistrationSchema) }),
  requestExample: { nickname: "Laptop" },
  answers: {
    200: { description: "The options.", schema: OptionsSchema },
    201: {
      description: "The passkey.",
      schema: shownPasskey.schema,
      example: shownPasskey.example,
    },
  },
  refusals: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body: { nickname, passkey } }, services: Services) {
    const { workspaceId, personId, sessionId, isProvenByPasskey } = principal;
    const purpose = ["add-passkey", sessionId] as const;
    if (passkey === undefined) {
      const person = requireThere(await findPerson(services.reads, workspaceId, personId));
      const own = await findPasskeysOf(services.reads, workspaceId, [personId]);
      const excludeCredentials = own.map(({ credentialId: id }) => ({ type: "public-key", id }));
      const options = registrationOptions(services, purpose, person);
      return { status: 200, body: JSON.stringify({ ...options, excludeCredentials }) };
    }
    const proven = await proveRegistration(services, purpose, { ...passkey, nickname });
    if (proven.subject !== personId) throw unproven();
    return submitForCaller(services.engine, principal, {
      command: addPasskey,
      input: {
        personId,
        passkey: proven.passkey,
        challenge: proven.challenge,
        isProvenByPasskey,
      },
      toAnswer: (made) => ({ status: 201, body: shownPasskey.json(made) }),
    });
  },
});

const removePasskey = defineOperation({
  id: "deletePasskey",
  ...route("DELETE /me/passkeys/{passkeyId}", "PERSON"),
  needsProof: true,
  tag: "Oneself",
  summary: "Delete a passkey",
  description:
    "The last one cannot be deleted. Needs a passkey that was shown in the last five minutes.",
  params: Type.Object({ passkeyId: pathId("Passkey") }),
  answers: { 204: { description: "Deleted." } },
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: deletePasskey,
      input: {
        personId: principal.personId,
        passkeyId: requireId("Passkey", params.passkeyId, "REFERENCE_NOT_FOUND"),
      },
      toAnswer: () => ({ status: 204, body: "" }),
    }),
});

const listMySessions = defineOperation({
  id: "listMySessions",
  ...route("GET /me/sessions", "PERSON"),
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

const endMySession = defineOperation({
  id: "endMySession",
  ...route("DELETE /me/sessions/{sessionId}", "PERSON"),
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

const endMySessions = defineOperation({
  id: "endMySessions",
  ...route("DELETE /me/sessions", "PERSON"),
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

export const meOperations = [
  getMe,
  updateMe,
  listPasskeys,
  createPasskey,
  removePasskey,
  listMySessions,
  endMySession,
  endMySessions,
];
