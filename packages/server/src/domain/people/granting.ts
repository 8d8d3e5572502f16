/**
 * Who may change whose roles. An owner gives every role; an admin gives the roles of `GIVEN_BY_ADMIN` on the platforms where they are
 * an admin. Only an owner changes a person with other roles. The operator of the server may do all of it.
 */
import type { World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type Identity, joinedWith, type Kin } from "../lineage.ts";
import { activeOwners, isOwner, type Person, people, type RoleGrant } from "./person.ts";
import type { Role } from "./role.ts";

const GIVEN_BY_ADMIN: ReadonlySet<Role> = new Set(["DEVELOPER", "SUPPORT", "VIEWER"]);

/** Refuses to give or take these roles. */
export function refuseGranting(
  world: World,
  by: string | null,
  grants: readonly RoleGrant[],
): void {
  if (by === null) return;
  const granter = granterIn(world, by);
  if (granter?.state === "ACTIVE" && grants.every((grant) => mayGrant(granter, grant))) return;
  const wanted = [...new Set(grants.flatMap(({ roles }) => roles))];
  throw new Refusal(
    "FORBIDDEN",
    { roles: wanted },
    "Your roles do not let you give or take these roles. An owner may give every role, an admin DEVELOPER, SUPPORT and VIEWER.",
  );
}

function mayGrant(granter: Person, { platformId, roles }: RoleGrant): boolean {
  if (isOwner(granter)) return true;
  const isAdmin = granter.roles.some(
    (held) =>
      held.roles.includes("ADMIN") && (held.platformId === null || held.platformId === platformId),
  );
  return isAdmin && roles.every((role) => GIVEN_BY_ADMIN.has(role));
}

/** Refuses to leave the workspace without an owner who can sign in. */
export function refuseLastOwner(world: World, person: Person): void {
  if (person.state !== "ACTIVE" || !isOwner(person)) return;
  if (world.all(activeOwners).some(({ id }) => id !== person.id)) return;
  throw new Refusal(
    "CONFLICT",
    undefined,
    "This is the last owner of the workspace: make another person an owner first.",
  );
}

/** The row of the person who grants; the operator is null and has none. */
export function granterRefs(by: string | null) {
  return by === null ? [] : [people.ref(by)];
}

export function granterIn(world: World, by: string | null): Person | undefined {
  return by === null ? undefined : world.find(people.ref(by));
}

/** Joins the person of a link with everyone who has seen it, because they can use it. `needs` must list their `granterRefs`. */
export function joinedWithHolders(
  world: World,
  { id, joined }: Identity,
  holders: readonly (string | null)[],
): readonly Kin[] {
  return holders.reduce(
    (sum, by) => joinedWith({ id, joined: sum }, granterIn(world, by), world),
    joined,
  );
}
