import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { END_OF_TIME, toIso } from "../../../std/clock.ts";

/**
 * Moves the platform's clock forward and returns its new time. The caller runs the jobs that fall due. Refuses a time after
 * `END_OF_TIME`.
 */
export const advanceClock: Command<{ readonly seconds: number }, { readonly now: number }> = {
  name: "advance-clock",
  needs: () => [],
  decide(world, { seconds }) {
    const now = world.advanceClock(seconds);
    if (now > END_OF_TIME) {
      throw new Refusal("CONFLICT", { latest: toIso(END_OF_TIME) }, "The clock cannot go further.");
    }
    return { now };
  },
};
