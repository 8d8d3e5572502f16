import type { Command, World } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type SingleUse, spentRef } from "../wallets/credentials/spent-proof.ts";
import { mayDecideAny } from "./approvals/approval-kinds.ts";
import { mailPeople } from "./notices/person-notice.ts";
import {
  MOST_PASSKEYS,
  type NewPasskey,
  type PersonPasskey,
  passkeyAskedFor,
  passkeysOf,
  personPasskeys,
  putPasskey,
} from "./passkey.ts";
import { activeOwners, NO_APPROVALS_MS, type Person, people, requireThere } from "./person.ts";
import { spendChallenge } from "./single-use.ts";

export interface AddPasskeyInput {
  readonly personId: string;
  readonly passkey: NewPasskey;
  readonly challenge: SingleUse;
  /** Whether the session was opened or stepped up by a passkey. */
  readonly isProvenByPasskey: boolean;
}

/**
 * Gives a person another passkey. A sign-in at an issuer is enough for the first one only, and the person then cannot approve for a
 * day, as after a re-enrolment: otherwise the person who sets the issuers could approve as another person. In that case the person with the
 * new passkey gets a mail, and so does every owner if the person may decide about orders. Refuses, in this order: more than
 * `MOST_PASSKEYS`; a person who has a passkey and has not shown it; a used challenge.
 */
export const addPasskey: Command<AddPasskeyInput, PersonPasskey> = {
  name: "add-passkey",
  needs: (_world, { personId, challenge }) => [
    people.ref(personId),
    passkeysOf.of(personId),
    activeOwners,
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
    if (own > 0 && !isProvenByPasskey) throw passkeyAskedFor();
    spendChallenge(world, challenge);

    if (!isProvenByPasskey) {
      const approvesFrom = world.at + NO_APPROVALS_MS;
      world.put(people, { ...person, approvesFrom, updatedAt: world.at });
      mailAboutFirst(world, person);
    }
    return putPasskey(world, person, passkey);
  },
};

function mailAboutFirst(world: World, { id, roles }: Person): void {
  const decides = mayDecideAny(roles.flatMap((grant) => grant.roles));
  const owners = decides ? world.all(activeOwners).map((owner) => owner.id) : [];
  mailPeople(world, [id, ...owners], { about: "FIRST_PASSKEY", personId: id });
}

interface DeletePasskeyInput {
  readonly personId: string;
  readonly passkeyId: string;
}

/** Deletes a passkey of a person. Refuses, in this order: one that the person does not have; the last one. */
export const deletePasskey: Command<DeletePasskeyInput, PersonPasskey> = {
  name: "delete-passkey",
  needs: (_world, { personId }) => [passkeysOf.of(personId)],
  decide(world, { personId, passkeyId }) {
    const own = world.all(passkeysOf.of(personId));
    const passkey = own.find(({ id }) => id === passkeyId);
    if (passkey === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    if (own.length === 1)
      throw new Refusal(
        "CONFLICT",
        undefined,
        "This is your last passkey: add another one before you delete it.",
      );

    return world.put(personPasskeys, { ...passkey, deletedAt: world.at });
  },
};
