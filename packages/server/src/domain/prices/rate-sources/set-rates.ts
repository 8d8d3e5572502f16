import type { Command } from "../../../engine/command.ts";
import { type FieldError, invalidField, invalidFields, Refusal } from "../../../engine/refusal.ts";
import { dayOf, toIso } from "../../../std/clock.ts";
import { keepRates } from "./keep-rates.ts";
import { takeRates } from "./observed-rates.ts";
import { type RateSource, rateSources, requireSource } from "./rate-source.ts";
import { duplicatePairs } from "./source-settings.ts";

export interface SetRatesInput {
  readonly sourceId: string;
  readonly rates: readonly {
    readonly base: string;
    readonly quote: string;
    readonly rate: string;
  }[];
  /** Undefined: now. */
  readonly asOf: number | undefined;
  /** Digest of the request. */
  readonly digest: string;
}

/**
 * Replaces the table of a `FIXED` source, all of it or nothing. Refuses, in this order: an unknown source; one of another kind; a time in
 * the future; a pair that is there twice, a value that is no rate, a value that differs by more than `maxMovePercent` from the last one or
 * from the opening rate of this day or the day before.
 */
export const setRates: Command<SetRatesInput, RateSource> = {
  name: "set-rates",
  needs: (_world, { sourceId }) => [rateSources.ref(sourceId)],
  decide(world, { sourceId, rates, asOf = world.at, digest }) {
    const source = requireSource(world, sourceId);
    const { kind, maxMovePercent } = source;
    if (kind !== "FIXED") {
      const message = `The source is ${kind}: its rates come from its document; only those of a FIXED source can be set.`;
      throw new Refusal("CONFLICT", { kind }, message);
    }
    if (asOf > world.at) throw invalidField("asOf", "must not lie in the future");
    const values = rates.map(({ base, quote, rate }) => ({ base, quote, value: rate }));
    const rule = { asOf: toIso(asOf), day: dayOf(world.at), maxMovePercent };
    const taken = takeRates(source.rates, values, rule);
    const faults = faultsOf(rates, taken.refused, maxMovePercent);
    if (faults.length > 0) throw invalidFields(faults);
    return keepRates(world, source, { ...taken, origin: "PUT", asOf, digest });
  },
};

function faultsOf(
  rates: SetRatesInput["rates"],
  refused: readonly { readonly base: string; readonly quote: string; readonly reason: string }[],
  maxMovePercent: number | null,
): readonly FieldError[] {
  const twice = duplicatePairs(rates).map((index) => ({
    field: `rates.${index}`,
    message:
      "names a pair that is there already, in this direction or the other, or one currency twice",
  }));
  const wrong = refused.map(({ base, quote, reason }) => {
    const index = rates.findIndex((rate) => rate.base === base && rate.quote === quote);
    const message =
      reason === "MOVED"
        ? `is more than ${maxMovePercent} % away from the last rate, or from that at the beginning of this day or of the day before; PATCH maxMovePercent of the source to set it anyway`
        : "must be a decimal above zero of at most 30 significant digits";
    return { field: `rates.${index}.rate`, message };
  });
  return [...twice, ...wrong];
}
