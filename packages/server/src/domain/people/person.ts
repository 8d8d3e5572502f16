/** A human who may sign in to the console. A person belongs to one workspace. */
import { Refusal } from "../../engine/refusal.ts";
import { defineLookup, defineSelection, defineTable, fixed, mutable } from "../../tables/tables.ts";
import type { Kin } from "../lineage.ts";
import type { Role } from "./role.ts";

export type PersonState = "INVITED" | "ACTIVE" | "SUSPENDED" | "REMOVED";

export interface RoleGrant {
  /** Null for every platform of the workspace, also those that come later. */
  readonly platformId: string | null;
  readonly roles: readonly Role[];
}

export interface Person {
  readonly id: string;
  /** In lower case. Unique in the workspace among people who are not removed. */
  readonly email: string;
  readonly name: string;
  readonly locale: string | null;
  readonly timeZone: string | null;
  readonly state: PersonState;
  /** May see to the deployment. */
  readonly isOperator: boolean;
  readonly roles: readonly RoleGrant[];
  /** Until then the person approves nothing; null for no such time. */
  readonly approvesFrom: number | null;
  /** Who else counts as one human with the person, and until when: see lineage/lineage.ts. */
  readonly joined: readonly Kin[];
  /** When the person was asked for a second passkey and put it off; the question is asked once. */
  readonly passkeyPutOffAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const people = defineTable<Person>("people", {
  id: fixed("uuid"),
  email: mutable("text"),
  name: mutable("text"),
  locale: mutable("text"),
  timeZone: mutable("text"),
  state: mutable("text"),
  isOperator: mutable("bool"),
  roles: mutable("json"),
  approvesFrom: mutable("time"),
  joined: mutable("json"),
  passkeyPutOffAt: mutable("time"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
});

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

/** With the owners, the people who may decide about payments of production platforms. */
export const activeApprovers = defineSelection(people, {
  name: "active-approvers",
  sql: "t.state = 'ACTIVE' and t.roles::jsonb @> '[{\"roles\": [\"APPROVER\"]}]'",
  holds: ({ state, roles }) =>
    state === "ACTIVE" && roles.some((grant) => grant.roles.includes("APPROVER")),
});

/** People whose capabilities the switches of the workspace change. */
export const activeAdmins = defineSelection(people, {
  name: "active-admins",
  sql: "t.state = 'ACTIVE' and t.roles::jsonb @> '[{\"roles\": [\"ADMIN\"]}]'",
  holds: ({ state, roles }) =>
    state === "ACTIVE" && roles.some((grant) => grant.roles.includes("ADMIN")),
});

/** An owner is one of the whole workspace. */
export function isOwner({ roles }: Pick<Person, "roles">): boolean {
  return roles.some((grant) => grant.roles.includes("OWNER"));
}

/** For so long a person approves nothing after a re-enrolment, or a passkey that was not added under another one. */
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

/** A person who was not removed: 404 otherwise. */
export function requireThere(person: Person | undefined): Person {
  if (person === undefined || person.state === "REMOVED") throw new Refusal("REFERENCE_NOT_FOUND");
  return person;
}
