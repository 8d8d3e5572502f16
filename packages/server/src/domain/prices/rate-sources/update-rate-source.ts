import type { Command } from "../../../engine/command.ts";
import { invalidField, invalidFields } from "../../../engine/refusal.ts";
import { isSameOrigin } from "../../../std/url.ts";
import {
  headerFactsOf,
  refuseTakenSourceName,
  type SealedHeaders,
  scheduleRefresh,
} from "./create-rate-source.ts";
import { staleFrom, withAgeWatched } from "./keep-rates.ts";
import {
  liveSources,
  putSource,
  type RateSource,
  rateSources,
  requireSource,
  type SourceRate,
  type SourceSettings,
  shownRate,
} from "./rate-source.ts";
import { settingFaults } from "./source-settings.ts";

export interface UpdateRateSourceInput {
  readonly sourceId: string;
  readonly change: Partial<
    Pick<
      RateSource,
      "name" | "priority" | "pivots" | "maxAgeMinutes" | "lockMinutes" | "maxMovePercent"
    >
  >;
  /** The members to change; absent ones are kept. */
  readonly settings: SourceSettings;
  /** Replaces all headers; null removes them. */
  readonly headers: SealedHeaders | null | undefined;
}

/**
 * Changes a source for quotes that are made from now on. The document of an `ECB` or `HTTP` source is read again at once, and rates of
 * removed pairs are dropped. Refuses, in this order: an unknown source, settings that its kind does not have or that conflict, a change of
 * server without new headers where the source has some (a secret must not reach another server), a name that another source has.
 */
export const updateRateSource: Command<UpdateRateSourceInput, RateSource> = {
  name: "update-rate-source",
  needs: (_world, { sourceId }) => [rateSources.ref(sourceId), liveSources],
  decide(world, { sourceId, change, settings, headers }) {
    const source = requireSource(world, sourceId);
    const { kind } = source;
    const merged = { ...source.settings, ...settings };
    const hasHeaders = headers !== undefined && headers !== null;
    const faults = settingFaults(kind, { settings: merged, hasHeaders });
    if (faults.length > 0) throw invalidFields(faults);
    if (headers === undefined) refuseHeadersElsewhere(source, merged);
    if (change.name !== undefined) {
      const others = world.all(liveSources).filter(({ id }) => id !== sourceId);
      refuseTakenSourceName(others, change.name);
    }

    if (source.refreshJobId !== null) world.cancel(source.refreshJobId);
    const changed = {
      ...source,
      ...change,
      settings: merged,
      ...(headers === undefined
        ? {}
        : {
            headersSealed: headers?.sealed ?? null,
            headerFacts: headerFactsOf(world, headers),
          }),
      rates: ratesKept(source, { settings: merged, change }),
      refreshJobId: kind === "FIXED" ? null : scheduleRefresh(world, sourceId),
    };
    return putSource(world, withAgeWatched(world, changed, staleFrom(source)));
  },
};

function refuseHeadersElsewhere(source: RateSource, { url }: SourceSettings): void {
  const isThere = isSameOrigin(source.settings.url ?? "", url ?? "");
  if (source.headersSealed === null || isThere) return;
  throw invalidField(
    "headers",
    "are needed again where settings.url moves to another server; an empty object takes them away",
  );
}

/** The person who changes `maxMovePercent` has looked at the rates, so moves are measured from the current ones. */
function ratesKept(
  { rates, maxMovePercent }: RateSource,
  { settings, change }: Pick<UpdateRateSourceInput, "settings" | "change">,
): readonly SourceRate[] {
  const kept = rates.filter(({ base, quote }) => isWanted(settings, base, quote));
  const isAnew = change.maxMovePercent !== undefined && change.maxMovePercent !== maxMovePercent;
  return isAnew ? kept.map(shownRate) : kept;
}

/** Whether the settings name the pair; the rate of an inverted pair is stored in the other direction. */
function isWanted({ pairs }: SourceSettings, base: string, quote: string): boolean {
  if (pairs === undefined) return true;
  return pairs.some((pair) =>
    pair.invert === true
      ? pair.base === quote && pair.quote === base
      : pair.base === base && pair.quote === quote,
  );
}
