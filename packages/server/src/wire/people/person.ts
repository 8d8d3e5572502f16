import Type from "typebox";
import type { Invited } from "../../domain/people/invite-person.ts";
import type { PersonPasskey } from "../../domain/people/passkey.ts";
import { type Person, personStates, type RoleGrant } from "../../domain/people/person.ts";
import { roles } from "../../domain/people/role.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { sensitive } from "../../validation/schema.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const RoleSchema = Type.Enum([...roles]);

const orNull = Type.Union([Type.String(), Type.Null()]);

export const shownPasskey = wireObject("Passkey", ({ of, maybe }: Kit<PersonPasskey>) => ({
  id: of.id("Passkey", { description: "`Passkey:<uuid>`", example: 22 }),
  nickname: of.text({ example: "Laptop" }),
  host: of.text({
    from: "rpId",
    description: "The host name that it was made for; it counts there alone.",
    example: "localhost",
  }),
  isSynced: of.boolean({
    description: "Whether its authenticator copies it to other devices.",
    example: true,
  }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
  lastUsedAt: maybe.time({ example: "2026-11-21T09:00:00.000Z" }),
  counterBackAt: maybe.time({
    description: "When its counter first went back, as that of a copied passkey does.",
  }),
}));

const roleGrant = wireObject("RoleGrant", ({ of }: Kit<RoleGrant>) => ({
  platformId: of.json(orNull, {
    from: ({ platformId }) => (platformId === null ? null : toPlatformConfigId(platformId)),
    description: "Null for every platform of the workspace, also those that come later.",
    example: null,
  }),
  roles: of.json(Type.Array(RoleSchema), { example: ["OWNER"] }),
}));

export interface PersonMore {
  readonly passkeys: readonly PersonPasskey[];
  readonly lastSeenAt: number | undefined;
}

export const wirePerson = wireObject("Person", ({ of, maybe }: Kit<Person, PersonMore>) => ({
  id: of.id("Person", { description: "`Person:<uuid>`", example: 21 }),
  email: of.text({ example: "ana@example.com" }),
  name: of.text({ example: "Ana Ruiz" }),
  locale: maybe.text(),
  timeZone: maybe.text(),
  state: of.enum(personStates, { example: "ACTIVE" }),
  isOperator: of.boolean({ description: "May see to the deployment.", example: true }),
  roles: of.list(roleGrant, { example: [roleGrant.example] }),
  approvesFrom: maybe.time({
    description: "Until then the person approves nothing, after a re-enrolment.",
  }),
  passkeyPutOffAt: maybe.time({
    description: "When the person was asked for a second passkey and put it off.",
  }),
  passkeys: of.list(shownPasskey, {
    from: (_, { passkeys }) => passkeys,
    example: [shownPasskey.example],
  }),
  lastSeenAt: maybe.time({
    from: (_, { lastSeenAt }) => lastSeenAt,
    example: "2026-11-21T10:00:00.000Z",
  }),
  createdAt: of.time({ example: "2026-11-21T09:00:00.000Z" }),
}));

const invited = {
  schema: wirePerson.schema,
  json: (person: Person) => wirePerson.json(person, { passkeys: [], lastSeenAt: undefined }),
  example: { ...wirePerson.example, state: "INVITED" as const, passkeys: [] },
};

/** Includes the URL of the link when it is not mailed. */
export const wireInvite = wireObject(
  "PersonInvite",
  ({ of, maybe }: Kit<Invited, string | undefined>) => ({
    id: of.id("PersonInvite", {
      from: ({ link }) => link.id,
      description: "`PersonInvite:<uuid>`",
      example: 24,
    }),
    person: of.object(invited),
    url: maybe.text({
      from: (_, url) => url,
      ...sensitive,
      description:
        "The page to send to the person, shown once. Absent where the deployment has a mail server, which brings it.",
      example: "http://localhost:8080/console/invite#mUHlRjFM…",
    }),
    expiresAt: of.time({ from: ({ link }) => link.expiresAt, example: "2026-11-28T09:00:00.000Z" }),
  }),
);
