import type { Command } from "../../../engine/command.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { criteriaOfSpread, sameRules } from "./find-rule.ts";
import { ANY, type PriceRules, priceRules, putRules, type SpreadRule } from "./price-rules.ts";

export interface SetSpreadsInput {
  readonly spreads: readonly SpreadRule[];
}

/** Replaces the spreads. Refuses rules from a currency into itself, and two rules for the same pair. */
export const setSpreads: Command<SetSpreadsInput, PriceRules> = {
  name: "set-spreads",
  needs: (world) => [priceRules.ref(world.platformId)],
  decide(world, { spreads }) {
    const faults: readonly FieldError[] = [
      ...withinOne(spreads).map((index) => ({
        field: `spreads.${index}`,
        message: "is from a currency into itself, which has no rate",
      })),
      ...sameRules(spreads.map(criteriaOfSpread)).map((index) => ({
        field: `spreads.${index}`,
        message: "names the same pair as a rule before; leave one out",
      })),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    return putRules(world, { kind: "SPREADS", rules: spreads });
  },
};

/** The places of rules from a currency into itself. */
export function withinOne(
  rules: readonly { readonly from: string; readonly to: string }[],
): readonly number[] {
  return rules.flatMap(({ from, to }, index) => (from === to && from !== ANY ? [index] : []));
}
