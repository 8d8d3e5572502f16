import type { Command } from "../../engine/command.ts";

/** Moves the platform's clock forward; answers its new time. What falls due by it is run by whoever asked. */
export const advanceClock: Command<{ readonly seconds: number }, { readonly now: number }> = {
  name: "advance-clock",
  needs: () => [],
  decide(world, { seconds }) {
    world.advanceClock(seconds);
    return { now: world.at + seconds * 1000 };
  },
};
