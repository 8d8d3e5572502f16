import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type SingleUse, spentRef } from "../wallets/credentials/spent-proof.ts";
import {
  MOST_PASSKEYS,
  type NewPasskey,
  type PersonPasskey,
  passkeysOf,
  putPasskey,
} from "./passkey.ts";
import { people, requireThere } from "./person.ts";
import { spendChallenge } from "./single-use.ts";

export interface AddPasskeyInput {
  readonly personId: string;
  readonly passkey: NewPasskey;
  readonly challenge: SingleUse;
}

/** Gives a person another passkey. Refuses, in this order: one more than `MOST_PASSKEYS`; a challenge that was used. */
export const addPasskey: Command<AddPasskeyInput, PersonPasskey> = {
  name: "add-passkey",
  needs: (_world, { personId, challenge }) => [
    people.ref(personId),
    passkeysOf.of(personId),
    spentRef(challenge),
  ],
  decide(world, { personId, passkey, challenge }) {
    const person = requireThere(world.find(people.ref(personId)));
    if (world.all(passkeysOf.of(personId)).length >= MOST_PASSKEYS)
      throw new Refusal(
        "CONFLICT",
        undefined,
        `You have ${MOST_PASSKEYS} passkeys, the most that are kept: delete one first.`,
      );
    spendChallenge(world, challenge);

    return putPasskey(world, person, passkey);
  },
};
