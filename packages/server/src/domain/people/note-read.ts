import type { Command } from "../../engine/command.ts";

/** Notes that a person read what must be noted. It changes nothing but the audit log. */
export const noteRead: Command<undefined, undefined> = {
  name: "read",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};
