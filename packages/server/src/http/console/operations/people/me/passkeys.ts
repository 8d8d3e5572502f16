import Type from "typebox";
import { addPasskey } from "../../../../../domain/people/add-passkey.ts";
import { deletePasskey } from "../../../../../domain/people/delete-passkey.ts";
import { findPasskeysOf, findPerson } from "../../../../../domain/people/person.sql.ts";
import { requireThere } from "../../../../../domain/people/person.ts";
import { unproven } from "../../../../../domain/people/single-use.ts";
import { pathId } from "../../../../../wire/id-fields.ts";
import { requireId } from "../../../../../wire/ids.ts";
import { PasskeySchema, passkeyToWire, personExample } from "../../../../../wire/people/person.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";
import {
  nicknameField,
  proveRegistration,
  RegistrationSchema,
  registrationOptions,
} from "../entry/passkey-proof.ts";
import { OptionsSchema } from "../entry/start.ts";

const [passkeyExample] = personExample.passkeys;

export const listPasskeys = defineOperation({
  id: "listPasskeys",
  method: "GET",
  path: "/me/passkeys",
  access: "PERSON",
  tag: "Oneself",
  summary: "List one's passkeys",
  answers: {
    200: {
      description: "Oldest first.",
      schema: Type.Object({ data: Type.Array(PasskeySchema) }),
      example: { data: [passkeyExample] },
    },
  },
  refusals: [],
  async handle({ principal }, { reads }: Services) {
    const own = await findPasskeysOf(reads, principal.workspaceId, [principal.personId]);
    return { status: 200, body: JSON.stringify({ data: own.map(passkeyToWire) }) };
  },
});

export const createPasskey = defineOperation({
  id: "createPasskey",
  method: "POST",
  path: "/me/passkeys",
  access: "PERSON",
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
    201: { description: "The passkey.", schema: PasskeySchema, example: passkeyExample },
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
      toAnswer: (made) => ({ status: 201, body: JSON.stringify(passkeyToWire(made)) }),
    });
  },
});

export const removePasskey = defineOperation({
  id: "deletePasskey",
  method: "DELETE",
  path: "/me/passkeys/{passkeyId}",
  access: "PERSON",
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
