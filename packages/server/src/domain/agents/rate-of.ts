import { inSmallestUnits, rateBetween } from "../rates/corridor.ts";
import type { RateOf } from "./judge-action.ts";

/** The rate that policies are judged by: the market's, without any fee. */
export const rateOf: RateOf = (from, to) => {
  const rate = rateBetween(to, from);
  if (rate === undefined) return undefined;
  return inSmallestUnits(rate, { sendingCurrency: to, receivingCurrency: from });
};
