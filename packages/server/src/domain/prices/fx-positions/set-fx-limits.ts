import type { Command } from "../../../engine/command.ts";
import { invalidFields } from "../../../engine/refusal.ts";
import { defineSelection } from "../../../tables/tables.ts";
import { type FxPosition, fxPositions, positionOf, positionRef } from "./fx-position.ts";

export interface FxLimit {
  readonly currency: string;
  readonly maxLong: bigint | null;
  readonly maxShort: bigint | null;
}

export interface SetFxLimitsInput {
  readonly limits: readonly FxLimit[];
}

/** All positions of a platform, at most one per currency. */
export const allPositions = defineSelection(fxPositions, {
  name: "all",
  sql: "true",
  holds: () => true,
});

/**
 * Replaces the limits of all positions: a currency that is not named has none. Quotes that were executed before continue. Refuses a
 * currency that is named twice.
 */
export const setFxLimits: Command<SetFxLimitsInput, readonly FxPosition[]> = {
  name: "set-fx-limits",
  needs: (_world, { limits }) => [
    allPositions,
    ...limits.map(({ currency }) => positionRef(currency)),
  ],
  decide(world, { limits }) {
    const codes = limits.map(({ currency }) => currency);
    const faults = codes.flatMap((currency, index) =>
      codes.indexOf(currency) === index
        ? []
        : [{ field: `limits.${index}.currency`, message: `is there twice: ${currency}` }],
    );
    if (faults.length > 0) throw invalidFields(faults);

    for (const position of world.all(allPositions)) {
      const isLimited = position.maxLong !== null || position.maxShort !== null;
      if (codes.includes(position.currency) || !isLimited) continue;
      world.put(fxPositions, { ...position, maxLong: null, maxShort: null, updatedAt: world.at });
    }
    return limits.map(({ currency, maxLong, maxShort }) =>
      world.put(fxPositions, {
        ...positionOf(world, currency),
        maxLong,
        maxShort,
        updatedAt: world.at,
      }),
    );
  },
};
