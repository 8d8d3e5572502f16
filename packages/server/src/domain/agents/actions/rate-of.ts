import type { Loaded, World } from "../../../engine/command.ts";
import { type Ratio, ratio } from "../../../money/ratio.ts";
import type { Ref } from "../../../tables/tables.ts";
import { type Environment, type Platform, platforms } from "../../platforms/platform.ts";
import { inSmallestUnits, rateBetween } from "../../rates/corridor.ts";
import type { RateOf } from "./judge-action.ts";

/** The row to load for `ratesIn`. */
export function rateNeeds(world: Loaded): Ref<Platform> {
  return platforms.ref(world.platformId);
}

/** The rates that the policies of this platform's agents are judged by, without any fee. */
export function ratesIn(world: World): RateOf {
  return ratesOf(world.get(rateNeeds(world)).environment);
}

/**
 * In the sandbox those of its fixed prices; in production, which has no market to ask, those between one kind of dollar and
 * another.
 */
export function ratesOf(environment: Environment): RateOf {
  const find = environment === "SANDBOX" ? rateBetween : rateBetweenDollars;
  return (from, to) => {
    const rate = find(to, from);
    if (rate === undefined) return undefined;
    return inSmallestUnits(rate, { sendingCurrency: to, receivingCurrency: from });
  };
}

/** Promised to be worth a dollar. */
const DOLLARS: ReadonlySet<string> = new Set(["USD", "USDB", "USDC", "USDT"]);

function rateBetweenDollars(one: string, other: string): Ratio | undefined {
  return DOLLARS.has(one) && DOLLARS.has(other) ? ratio(1n, 1n) : undefined;
}
