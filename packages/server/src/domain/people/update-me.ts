import type { Command } from "../../engine/command.ts";
import { type Person, people, requireThere } from "./person.ts";

export interface UpdateMeInput {
  readonly personId: string;
  readonly name?: string | undefined;
  readonly locale?: string | null | undefined;
  readonly timeZone?: string | null | undefined;
  /** Puts off the second passkey. Only the time of the first request is kept. */
  readonly isPuttingOffPasskey?: boolean | undefined;
}

/** Changes the settings that people may change for themselves. */
export const updateMe: Command<UpdateMeInput, Person> = {
  name: "update-me",
  needs: (_world, { personId }) => [people.ref(personId)],
  decide(world, { personId, name, locale, timeZone, isPuttingOffPasskey }) {
    const person = requireThere(world.find(people.ref(personId)));
    return world.put(people, {
      ...person,
      name: name ?? person.name,
      locale: locale === undefined ? person.locale : locale,
      timeZone: timeZone === undefined ? person.timeZone : timeZone,
      passkeyPutOffAt:
        isPuttingOffPasskey === true
          ? (person.passkeyPutOffAt ?? world.at)
          : person.passkeyPutOffAt,
      updatedAt: world.at,
    });
  },
};
