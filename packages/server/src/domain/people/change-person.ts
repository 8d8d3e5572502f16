import type { Command, World } from "../../engine/command.ts";
import { Refusal, wrongState } from "../../engine/refusal.ts";
import { joinedWith } from "../lineage.ts";
import { granterIn, granterRefs, refuseGranting, refuseLastOwner } from "./granting.ts";
import { passkeysOf } from "./passkey.ts";
import {
  activeOwners,
  isOwner,
  type Person,
  people,
  type RoleGrant,
  requireThere,
} from "./person.ts";
import { endAllSessions, openSessionsOf } from "./sessions/person-session.ts";

export interface ChangePersonInput {
  readonly personId: string;
  readonly roles?: readonly RoleGrant[] | undefined;
  /** Suspends the person, or ends a suspension. */
  readonly isSuspended?: boolean | undefined;
  readonly by: string | null;
}

/**
 * Changes the roles of a person, suspends one, or ends a suspension. Each change ends the person's sessions; new roles join the person
 * with the one who gives them. Refuses, in this order: an unknown or removed person; old or new roles that the caller may not give; the
 * suspension of an invited person; an owner without a passkey; a change that leaves the workspace without an owner.
 */
export const changePerson: Command<ChangePersonInput, Person> = {
  name: "change-person",
  needs: (_world, { personId, by }) => [
    people.ref(personId),
    openSessionsOf.of(personId),
    passkeysOf.of(personId),
    activeOwners,
    ...granterRefs(by),
  ],
  decide(world, { personId, roles, isSuspended, by }) {
    const person = requireThere(world.find(people.ref(personId)));
    refuseGranting(world, by, [...person.roles, ...(roles ?? [])]);
    if (isSuspended !== undefined && person.state === "INVITED")
      throw wrongState({
        object: "person",
        status: person.state,
        needed: "ACTIVE",
        action: "suspended",
      });
    if (roles !== undefined) refuseOwnerWithoutPasskey(world, person, roles);
    const changed: Person = {
      ...person,
      roles: roles ?? person.roles,
      joined: roles === undefined ? person.joined : joinedWith(person, granterIn(world, by), world),
      state: stateAfter(person, isSuspended),
      updatedAt: world.at,
    };
    if (changed.state !== "ACTIVE" || !isOwner(changed)) refuseLastOwner(world, person);

    endAllSessions(world, personId);
    return world.put(people, changed);
  },
};

/** A person who signs in by an issuer may have no passkey. An invited person makes one with the link. */
function refuseOwnerWithoutPasskey(
  world: World,
  person: Person,
  roles: readonly RoleGrant[],
): void {
  const hasOne = person.state === "INVITED" || world.all(passkeysOf.of(person.id)).length > 0;
  if (hasOne || !isOwner({ roles })) return;
  throw new Refusal(
    "CONFLICT",
    { field: "roles" },
    "An owner needs a passkey: this person adds one under their own settings first.",
  );
}

function stateAfter({ state }: Person, isSuspended: boolean | undefined): Person["state"] {
  if (isSuspended === undefined) return state;
  return isSuspended ? "SUSPENDED" : "ACTIVE";
}
