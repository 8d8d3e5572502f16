import type { Command } from "../../../engine/command.ts";

/** Ends the job of a mail that was sent, or that no longer can be. Refuses nothing. */
export const endPersonMail: Command<{ readonly jobId: string }, undefined> = {
  name: "end-person-mail",
  needs: () => [],
  decide(world, { jobId }) {
    world.cancel(jobId);
    return undefined;
  },
};
