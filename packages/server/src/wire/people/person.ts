import Type from "typebox";
import type { PersonPasskey } from "../../domain/people/passkey.ts";
import { type Person, type RoleGrant, toPersonId } from "../../domain/people/person.ts";
import { roles } from "../../domain/people/role.ts";
import { toPlatformConfigId } from "../../domain/platform.ts";
import { toIso } from "../../std/clock.ts";
import { toWireId } from "../../std/ids.ts";
import { DateTimeSchema } from "../fields.ts";

export const RoleSchema = Type.Enum([...roles]);

export const PasskeySchema = Type.Object(
  {
    id: Type.String({ description: "`Passkey:<uuid>`" }),
    nickname: Type.String(),
    host: Type.String({
      description: "The host name that it was made for; it counts there alone.",
    }),
    isSynced: Type.Boolean({
      description: "Whether its authenticator copies it to other devices.",
    }),
    createdAt: DateTimeSchema,
    lastUsedAt: Type.Optional(DateTimeSchema),
    counterBackAt: Type.Optional({
      ...DateTimeSchema,
      description: "When its counter first went back, as that of a copied passkey does.",
    }),
  },
  { $id: "Passkey" },
);

export const RoleGrantSchema = Type.Object(
  {
    platformId: Type.Union([Type.String(), Type.Null()], {
      description: "Null for every platform of the workspace, also those that come later.",
    }),
    roles: Type.Array(RoleSchema),
  },
  { $id: "RoleGrant" },
);

export const PersonSchema = Type.Object(
  {
    id: Type.String({ description: "`Person:<uuid>`" }),
    email: Type.String(),
    name: Type.String(),
    locale: Type.Optional(Type.String()),
    timeZone: Type.Optional(Type.String()),
    state: Type.Enum(["INVITED", "ACTIVE", "SUSPENDED", "REMOVED"]),
    isOperator: Type.Boolean({ description: "May see to the deployment." }),
    roles: Type.Array(RoleGrantSchema),
    approvesFrom: Type.Optional({
      ...DateTimeSchema,
      description: "Until then the person approves nothing, after a re-enrolment.",
    }),
    passkeyPutOffAt: Type.Optional({
      ...DateTimeSchema,
      description: "When the person was asked for a second passkey and put it off.",
    }),
    passkeys: Type.Array(PasskeySchema),
    lastSeenAt: Type.Optional(DateTimeSchema),
    createdAt: DateTimeSchema,
  },
  { $id: "Person" },
);

export interface PersonMore {
  readonly passkeys: readonly PersonPasskey[];
  readonly lastSeenAt: number | undefined;
}

export function passkeyToWire(passkey: PersonPasskey) {
  return {
    id: toWireId("Passkey", passkey.id),
    nickname: passkey.nickname,
    host: passkey.rpId,
    isSynced: passkey.isSynced,
    createdAt: toIso(passkey.createdAt),
    ...(passkey.lastUsedAt === null ? {} : { lastUsedAt: toIso(passkey.lastUsedAt) }),
    ...(passkey.counterBackAt === null ? {} : { counterBackAt: toIso(passkey.counterBackAt) }),
  };
}

export function grantToWire({ platformId, roles: held }: RoleGrant) {
  return { platformId: platformId === null ? null : toPlatformConfigId(platformId), roles: held };
}

export function personToWire(person: Person, { passkeys, lastSeenAt }: PersonMore) {
  return {
    id: toPersonId(person.id),
    email: person.email,
    name: person.name,
    ...(person.locale === null ? {} : { locale: person.locale }),
    ...(person.timeZone === null ? {} : { timeZone: person.timeZone }),
    state: person.state,
    isOperator: person.isOperator,
    roles: person.roles.map(grantToWire),
    ...(person.approvesFrom === null ? {} : { approvesFrom: toIso(person.approvesFrom) }),
    ...(person.passkeyPutOffAt === null ? {} : { passkeyPutOffAt: toIso(person.passkeyPutOffAt) }),
    passkeys: passkeys.map(passkeyToWire),
    ...(lastSeenAt === undefined ? {} : { lastSeenAt: toIso(lastSeenAt) }),
    createdAt: toIso(person.createdAt),
  };
}

export const personExample = {
  id: "Person:019a4f00-0000-7000-8000-000000000021",
  email: "ana@example.com",
  name: "Ana Ruiz",
  state: "ACTIVE",
  isOperator: true,
  roles: [{ platformId: null, roles: ["OWNER"] }],
  passkeys: [
    {
      id: "Passkey:019a4f00-0000-7000-8000-000000000022",
      nickname: "Laptop",
      host: "localhost",
      isSynced: true,
      createdAt: "2026-11-21T09:00:00.000Z",
      lastUsedAt: "2026-11-21T09:00:00.000Z",
    },
  ],
  lastSeenAt: "2026-11-21T10:00:00.000Z",
  createdAt: "2026-11-21T09:00:00.000Z",
};
