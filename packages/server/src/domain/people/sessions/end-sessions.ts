import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { granterRefs, refuseGranting } from "../granting.ts";
import { people, requireThere } from "../person.ts";
import { endAllSessions, endSessions, openSessionsOf } from "./person-session.ts";

export interface EndSessionsInput {
  readonly personId: string;
  /** Undefined ends all sessions. */
  readonly sessionId?: string | undefined;
  /** Set when another person ends them; null for the person themselves and for the operator of the server. */
  readonly by: string | null;
}

/**
 * Ends one session of a person, or all. Refuses, in this order: an unknown or removed person; one whose roles the caller may not take;
 * a session that is not open.
 */
export const endPersonSessions: Command<EndSessionsInput, undefined> = {
  name: "end-sessions",
  needs: (_world, { personId, by }) => [
    people.ref(personId),
    openSessionsOf.of(personId),
    ...granterRefs(by),
  ],
  decide(world, { personId, sessionId, by }) {
    const person = requireThere(world.find(people.ref(personId)));
    refuseGranting(world, by, person.roles);
    if (sessionId === undefined) {
      endAllSessions(world, personId);
      return undefined;
    }
    const session = world.all(openSessionsOf.of(personId)).find(({ id }) => id === sessionId);
    if (session === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    endSessions(world, [session]);
    return undefined;
  },
};

/** Ends the caller's own session. Does nothing if it has ended already. */
export const signOut: Command<
  { readonly personId: string; readonly sessionId: string },
  undefined
> = {
  name: "sign-out",
  needs: (_world, { personId }) => [openSessionsOf.of(personId)],
  decide(world, { personId, sessionId }) {
    const own = world.all(openSessionsOf.of(personId)).filter(({ id }) => id === sessionId);
    endSessions(world, own);
    return undefined;
  },
};
