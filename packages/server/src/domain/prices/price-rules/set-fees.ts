import type { Command } from "../../../engine/command.ts";
import { type FieldError, invalidFields } from "../../../engine/refusal.ts";
import { sameRules } from "./find-rule.ts";
import { type FeeRule, type PriceRules, priceRules, putRules } from "./price-rules.ts";
import { withinOne } from "./set-spreads.ts";

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
