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
import { NO_APPROVALS_MS, people, requireThere } from "./person.ts";
import { spendChallenge } from "./single-use.ts";

export interface AddPasskeyInput {
  readonly personId: string;
  readonly passkey: NewPasskey;
  readonly challenge: SingleUse;
  /** The session was opened or stepped up by a passkey. */
  readonly isProvenByPasskey: boolean;
}

/**
 * Gives a person another passkey. An issuer's word is enough for the first one alone, and the person then approves nothing for a day, as
 * after a re-enrolment: who sets the issuers of a workspace must not approve as somebody else. Refuses, in this order: one more than
 * `MOST_PASSKEYS`; a person who has a passkey and has not shown it; a challenge that was used.
 */
export const addPasskey: Command<AddPasskeyInput, PersonPasskey> = {
  name: "add-passkey",
  needs: (_world, { personId, challenge }) => [
    people.ref(personId),
    passkeysOf.of(personId),
    spentRef(challenge),
  ],
  decide(world, { personId, passkey, challenge, isProvenByPasskey }) {
    const person = requireThere(world.find(people.ref(personId)));
    const own = world.all(passkeysOf.of(personId)).length;
    if (own >= MOST_PASSKEYS)
      throw new Refusal(
        "CONFLICT",
        undefined,
        `You have ${MOST_PASSKEYS} passkeys, the most that are kept: delete one first.`,
      );
    if (own > 0 && !isProvenByPasskey)
      throw new Refusal(
        "FORBIDDEN",
        { reason: "STEP_UP_REQUIRED", proof: "PASSKEY" },
        "Show your passkey first: POST /console/api/step-up.",
      );
    spendChallenge(world, challenge);

    if (!isProvenByPasskey)
      world.put(people, {
        ...person,
        approvesFrom: world.at + NO_APPROVALS_MS,
        updatedAt: world.at,
      });
    return putPasskey(world, person, passkey);
  },
};
