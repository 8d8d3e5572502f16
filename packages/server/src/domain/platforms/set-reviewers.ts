import type { Command } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import { type Platform, platforms, type Reviewers } from "../platform.ts";

/** Sets who decides the verifications of a platform. Only the operator may use it. Refuses an unknown platform. */
export const setReviewers: Command<{ readonly reviewers: Reviewers }, Platform> = {
  name: "set-reviewers",
  needs: (world) => [platforms.ref(world.platformId)],
  decide(world, { reviewers }) {
    const platform = world.find(platforms.ref(world.platformId));
    if (platform === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    return world.put(platforms, { ...platform, reviewers, updatedAt: world.at });
  },
};
