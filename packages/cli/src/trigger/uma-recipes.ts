/** Recipes for events of UMA. They need a domain or an institution on the internet, so a sandbox makes none of them. */
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
  {
    type: "UMA_COUNTERPARTY.SEEN",
    does: "the first lookup of another institution: its message, with a signature that holds",
  },
  {
    type: "UMA_COUNTERPARTY.KEY_CHANGED",
    does: "a lookup of an institution that signs with another key than before",
  },
  {
    type: "UMA_COUNTERPARTY.PROBING",
    does: "101 lookups of unknown users by another institution within ten minutes",
  },
];
