/** Recipes for events of UMA domains. They need a domain on the internet, so a sandbox makes none of them. */
import type { Recipe } from "./recipes.ts";

export const umaRecipes: readonly Recipe[] = [
  {
    type: "UMA_DOMAIN.UNREACHABLE",
    does: "a domain whose routing is broken: POST /uma/domains/{domainId}/check, three times",
  },
  {
    type: "UMA_DOMAIN.REACHABLE",
    does: "an unreachable domain whose routing is mended: POST /uma/domains/{domainId}/check",
  },
];
