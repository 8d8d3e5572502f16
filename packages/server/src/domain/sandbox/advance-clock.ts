import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { toIso } from "../../std/clock.ts";

/** Years of more than four digits are no times of the API any more, and what is due later has to fit in as well. */
const LATEST = Date.UTC(9000, 0);

/**
 * Moves the platform's clock forward; answers its new time. What falls due by it is run by whoever asked. Refuses to go on
 * when there is no more time.
 */
export const advanceClock: Command<{ readonly seconds: number }, { readonly now: number }> = {
  name: "advance-clock",
  needs: () => [],
  decide(world, { seconds }) {
    const now = world.at + seconds * 1000;
    if (now > LATEST) {
      throw new Refusal("CONFLICT", { latest: toIso(LATEST) }, "The clock cannot go further.");
    }
    world.advanceClock(seconds);
    return { now };
  },
};
