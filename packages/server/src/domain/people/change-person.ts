import type { Command } from "../../engine/command.ts";
import { wrongState } from "../../engine/refusal.ts";
import { granterRefs, refuseGranting, refuseLastOwner } from "./granting.ts";
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
 * Changes the roles of a person, suspends one, or ends a suspension. A change ends the person's sessions. Refuses, in this order:
 * a person who is not there; roles, old or new, that the one who changes them may not give; the suspension of a person who has not
 * come yet; to leave the workspace without an owner.
 */
export const changePerson: Command<ChangePersonInput, Person> = {
  name: "change-person",
  needs: (_world, { personId, by }) => [
    people.ref(personId),
    openSessionsOf.of(personId),
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
    const changed: Person = {
      ...person,
      roles: roles ?? person.roles,
      state: stateAfter(person, isSuspended),
      updatedAt: world.at,
    };
    if (changed.state !== "ACTIVE" || !isOwner(changed)) refuseLastOwner(world, person);

    endAllSessions(world, personId);
    return world.put(people, changed);
  },
};

function stateAfter({ state }: Person, isSuspended: boolean | undefined): Person["state"] {
  if (isSuspended === undefined) return state;
  return isSuspended ? "SUSPENDED" : "ACTIVE";
}
