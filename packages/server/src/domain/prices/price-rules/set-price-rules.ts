import type { Command } from "../../../engine/command.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { criteriaOfSpread, sameRules } from "./find-rule.ts";
import {
  ANY,
  type FeeRule,
  type PriceRules,
  priceRules,
  putRules,
  type SpreadRule,
} from "./price-rules.ts";

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

/** The indexes of rules from a currency into itself. */
export function withinOne(
  rules: readonly { readonly from: string; readonly to: string }[],
): readonly number[] {
  return rules.flatMap(({ from, to }, index) => (from === to && from !== ANY ? [index] : []));
}

export interface SetFeesInput {
  readonly rules: readonly FeeRule[];
}

/**
 * Replaces the fees; quotes that were made keep theirs. Refuses rules from a currency into itself, two rules for the same payments, and a
 * minimum above the maximum.
 */
export const setFees: Command<SetFeesInput, PriceRules> = {
  name: "set-fees",
  needs: (world) => [priceRules.ref(world.platformId)],
  decide(world, { rules }) {
    const faults: readonly FieldError[] = [
      ...withinOne(rules).map((index) => ({
        field: `rules.${index}`,
        message: "is from a currency into itself; transfers within a currency are free",
      })),
      ...sameRules(rules).map((index) => ({
        field: `rules.${index}`,
        message: "names the same payments as a rule before, so neither wins; leave one out",
      })),
      ...rules.flatMap(({ least, most }, index) =>
        least !== null && most !== null && BigInt(least) > BigInt(most)
          ? [{ field: `rules.${index}.minMinor`, message: "must not be above maxMinor" }]
          : [],
      ),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    return putRules(world, { kind: "FEES", rules });
  },
};
