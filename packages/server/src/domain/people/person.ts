/** A human who may sign in to the console. A person belongs to one workspace. */
import { Refusal } from "../../engine/refusal.ts";
import {
  defineLookup,
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../tables/tables.ts";
import type { Kin } from "../lineage.ts";
import type { Role } from "./role.ts";

export const personStates = ["INVITED", "ACTIVE", "SUSPENDED", "REMOVED"] as const;

export type PersonState = (typeof personStates)[number];

export interface RoleGrant {
  /** Null for every platform of the workspace, also those that come later. */
  readonly platformId: string | null;
  readonly roles: readonly Role[];
}

const columns = {
  id: fixed("uuid"),
  /** In lower case. Unique in the workspace among people who are not removed. */
  email: mutable("text"),
  name: mutable("text"),
  locale: mutable<string | null>("text"),
  timeZone: mutable<string | null>("text"),
  state: mutable<PersonState>("text"),
  /** Whether the person is an operator of the deployment. */
  isOperator: mutable("bool"),
  roles: mutable<readonly RoleGrant[]>("json"),
  /** The person cannot approve before this time; null for no such time. */
  approvesFrom: mutable<number | null>("time"),
  /** The identities that count as one human with the person, and until when: see domain/lineage.ts. */
  joined: mutable<readonly Kin[]>("json"),
  /** When the person was asked for a second passkey and put it off; the question is asked once. */
  passkeyPutOffAt: mutable<number | null>("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
};

export interface Person extends RowOf<typeof columns> {}

export const people = defineTable<Person>("people", columns);

export const peopleByEmail = defineLookup(people, {
  by: "email",
  where: { sql: "t.state <> 'REMOVED'", holds: ({ state }) => state !== "REMOVED" },
});

/** Owners who can sign in: an active person has a passkey. */
export const activeOwners = defineSelection(people, {
  name: "active-owners",
  sql: "t.state = 'ACTIVE' and t.roles::jsonb @> '[{\"roles\": [\"OWNER\"]}]'",
  holds: (person) => person.state === "ACTIVE" && isOwner(person),
});

/** People with the role APPROVER: together with the owners, they may decide about payments of production platforms. */
export const activeApprovers = defineSelection(people, {
  name: "active-approvers",
  sql: "t.state = 'ACTIVE' and t.roles::jsonb @> '[{\"roles\": [\"APPROVER\"]}]'",
  holds: ({ state, roles }) =>
    state === "ACTIVE" && roles.some((grant) => grant.roles.includes("APPROVER")),
});

/** Active admins: the role switches of the workspace change their capabilities. */
export const activeAdmins = defineSelection(people, {
  name: "active-admins",
  sql: "t.state = 'ACTIVE' and t.roles::jsonb @> '[{\"roles\": [\"ADMIN\"]}]'",
  holds: ({ state, roles }) =>
    state === "ACTIVE" && roles.some((grant) => grant.roles.includes("ADMIN")),
});

/** The role OWNER always covers the whole workspace. */
export function isOwner({ roles }: Pick<Person, "roles">): boolean {
  return roles.some((grant) => grant.roles.includes("OWNER"));
}

/** A person cannot approve for this long after a re-enrolment, or after adding a passkey without having shown one. */
export const NO_APPROVALS_MS = 24 * 60 * 60 * 1000;

/** The roles that a person has on a platform. */
export function rolesOn({ roles }: Pick<Person, "roles">, platformId: string): readonly Role[] {
  const held = roles.filter(
    (grant) => grant.platformId === null || grant.platformId === platformId,
  );
  return [...new Set(held.flatMap((grant) => grant.roles))];
}

export function toPersonId(id: string): string {
  return `Person:${id}`;
}

/** Refuses a missing or removed person with 404. */
export function requireThere(person: Person | undefined): Person {
  if (person === undefined || person.state === "REMOVED") throw new Refusal("REFERENCE_NOT_FOUND");
  return person;
}
