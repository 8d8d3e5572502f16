import type { Command } from "../../../engine/command.ts";
import { granterRefs, refuseGranting } from "../granting.ts";
import { people, requireThere } from "../person.ts";
import { endAllSessions, openSessionsOf } from "../sessions/person-session.ts";
import { identitiesOf, personIdentities } from "./person-identity.ts";

export interface EndIdentitiesInput {
  readonly personId: string;
  readonly by: string | null;
}

/**
 * Ends the bindings of a person to subjects of issuers, and all sessions of the person. The next sign-in binds again, by the email
 * address. Refuses, in this order: an unknown or removed person; one whose roles the caller may not take.
 */
export const endIdentities: Command<EndIdentitiesInput, undefined> = {
  name: "end-identities",
  needs: (_world, { personId, by }) => [
    people.ref(personId),
    identitiesOf.of(personId),
    openSessionsOf.of(personId),
    ...granterRefs(by),
  ],
  decide(world, { personId, by }) {
    const person = requireThere(world.find(people.ref(personId)));
    refuseGranting(world, by, person.roles);

    for (const identity of world.all(identitiesOf.of(personId)))
      world.put(personIdentities, { ...identity, endedAt: world.at });
    endAllSessions(world, personId);
    return undefined;
  },
};
