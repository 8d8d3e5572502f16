import type { Command } from "../../engine/command.ts";
import { granterRefs, refuseGranting, refuseLastOwner } from "./granting.ts";
import { passkeysOf, personPasskeys } from "./passkey.ts";
import { activeOwners, type Person, people, requireThere } from "./person.ts";
import { endLinks, openLinksOf } from "./person-link.ts";
import { endAllSessions, openSessionsOf } from "./sessions/person-session.ts";

export interface RemovePersonInput {
  readonly personId: string;
  readonly by: string | null;
}

/**
 * Removes a person: passkeys, links and sessions end at once; id and name stay in the logs. Refuses, in this order: an unknown or
 * removed person; one whose roles the caller may not take; the last owner.
 */
export const removePerson: Command<RemovePersonInput, Person> = {
  name: "remove-person",
  needs: (_world, { personId, by }) => [
    people.ref(personId),
    passkeysOf.of(personId),
    openLinksOf.of(personId),
    openSessionsOf.of(personId),
    activeOwners,
    ...granterRefs(by),
  ],
  decide(world, { personId, by }) {
    const person = requireThere(world.find(people.ref(personId)));
    refuseGranting(world, by, person.roles);
    refuseLastOwner(world, person);

    for (const passkey of world.all(passkeysOf.of(personId))) {
      world.put(personPasskeys, { ...passkey, deletedAt: world.at });
    }
    endLinks(world, personId);
    endAllSessions(world, personId);
    return world.put(people, {
      ...person,
      state: "REMOVED",
      isOperator: false,
      roles: [],
      updatedAt: world.at,
    });
  },
};
