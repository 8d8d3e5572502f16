import Type from "typebox";
import { findPasskeysOf, findPerson } from "../../../../../domain/people/person.sql.ts";
import { requireThere } from "../../../../../domain/people/person.ts";
import { updateMe as command } from "../../../../../domain/people/update-me.ts";
import { filledText } from "../../../../../wire/fields.ts";
import { PersonSchema, personExample, personToWire } from "../../../../../wire/people/person.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";

const answers = {
  200: { description: "The person.", schema: PersonSchema, example: personExample },
} as const;

export const getMe = defineOperation({
  id: "getMe",
  method: "GET",
  path: "/me",
  access: "PERSON",
  tag: "Oneself",
  summary: "Get oneself",
  answers,
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const { workspaceId, personId } = principal;
    const person = requireThere(await findPerson(reads, workspaceId, personId));
    const passkeys = await findPasskeysOf(reads, workspaceId, [personId]);
    const body = JSON.stringify(personToWire(person, { passkeys, lastSeenAt: undefined }));
    return { status: 200, body };
  },
});

export const updateMe = defineOperation({
  id: "updateMe",
  method: "PATCH",
  path: "/me",
  access: "PERSON",
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
      command,
      input: { personId, name, locale, timeZone, isPuttingOffPasskey },
      toAnswer: (person) => ({
        status: 200,
        body: JSON.stringify(personToWire(person, { passkeys, lastSeenAt: undefined })),
      }),
    });
    people.sessions.forget();
    return answered;
  },
});
