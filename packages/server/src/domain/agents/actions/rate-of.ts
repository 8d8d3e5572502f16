import type { Loaded, World } from "../../../engine/command.ts";
import { type Ratio, ratio } from "../../../money/ratio.ts";
import type { Ref } from "../../../tables/tables.ts";
import { type Environment, type Platform, platforms } from "../../platform.ts";
import { inSmallestUnits, rateBetween } from "../../prices/rates/corridor.ts";
import type { RateOf } from "./judge-action.ts";

/** The row to load for `ratesIn`. */
export function rateNeeds(world: Loaded): Ref<Platform> {
  return platforms.ref(world.platformId);
}

/** The rates, without fees, that convert amounts for the policies of this platform's agents. */
export function ratesIn(world: World): RateOf {
  return ratesOf(world.get(rateNeeds(world)).environment);
}

/**
 * A sandbox has rates from its fixed prices. Production has no market source, so it has rates between dollar currencies
 * only.
 */
export function ratesOf(environment: Environment): RateOf {
  const find = environment === "SANDBOX" ? rateBetween : rateBetweenDollars;
  return (from, to) => {
    const rate = find(to, from);
    if (rate === undefined) return undefined;
    return inSmallestUnits(rate, { sendingCurrency: to, receivingCurrency: from });
  };
}

/** Currencies pegged to the US dollar. */
const DOLLARS: ReadonlySet<string> = new Set(["USD", "USDB", "USDC", "USDT"]);

function rateBetweenDollars(one: string, other: string): Ratio | undefined {
  return DOLLARS.has(one) && DOLLARS.has(other) ? ratio(1n, 1n) : undefined;
}
