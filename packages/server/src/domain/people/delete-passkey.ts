import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type PersonPasskey, passkeysOf, personPasskeys } from "./passkey.ts";

export interface DeletePasskeyInput {
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
