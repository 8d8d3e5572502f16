import type { Command } from "../../engine/command.ts";

/** Records in the audit log that a person read data whose reads are logged. It changes nothing else. */
export const noteRead: Command<undefined, undefined> = {
  name: "read",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};
