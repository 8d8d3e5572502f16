import type { Command } from "../../../engine/command.ts";
import { mailPeople } from "../notices/person-notice.ts";
import { personPasskeys } from "../passkey.ts";

/** Records in the audit log that a passkey was not accepted. It changes nothing else. */
export const noteRefusedSignIn: Command<undefined, undefined> = {
  name: "sign-in-refused",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};

/** Records that the counter of a passkey went back, so the passkey may have been copied. Mails its person the first time only. */
export const noteCounterBack: Command<{ readonly passkeyId: string }, undefined> = {
  name: "passkey-counter-went-back",
  isNoted: true,
  needs: (_world, { passkeyId }) => [personPasskeys.ref(passkeyId)],
  decide(world, { passkeyId }) {
    const passkey = world.find(personPasskeys.ref(passkeyId));
    if (passkey === undefined || passkey.counterBackAt !== null) return undefined;
    const { personId } = passkey;

    world.put(personPasskeys, { ...passkey, counterBackAt: world.at });
    mailPeople(world, [personId], { about: "COUNTER_BACK", personId });
    return undefined;
  },
};
