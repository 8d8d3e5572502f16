import type { Command } from "../../../engine/command.ts";

/** Notes that a passkey was not accepted. It changes nothing but the audit log. */
export const noteRefusedSignIn: Command<undefined, undefined> = {
  name: "sign-in-refused",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};

/** Notes that the counter of a passkey went back: it may have been copied. */
export const noteCounterBack: Command<undefined, undefined> = {
  name: "passkey-counter-went-back",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};
