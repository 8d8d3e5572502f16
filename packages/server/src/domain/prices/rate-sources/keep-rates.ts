/** Stores new rates of any origin: the row of the source, the observation, and the job that reports rates that are too old. */
import type { World } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";
import type { TakenRates } from "./observed-rates.ts";
import {
  type ObservationOrigin,
  putSource,
  type RateSource,
  rateObservations,
  shownRate,
} from "./rate-source.ts";

const MINUTE_MS = 60_000;

export interface NewRates extends TakenRates {
  readonly origin: ObservationOrigin;
  readonly asOf: number;
  readonly digest: string;
}

/** The source with these rates. An observation is added when values or refusals differ from those before. */
export function keepRates(world: World, source: RateSource, taken: NewRates): RateSource {
  const { rates, refused, origin, asOf, digest } = taken;
  if (saysOf(source) !== saysOf(taken)) {
    const { id: sourceId } = source;
    const id = world.newId();
    const said = { origin, asOf, digest, rates: rates.map(shownRate), refused };
    world.put(rateObservations, { id, sourceId, ...said, createdAt: world.at });
  }
  const kept = { ...source, rates, refused, asOf, readAt: world.at, lastError: null };
  return putSource(world, withAgeWatched(world, kept, staleFrom(source)));
}

/**
 * The source with the job that reports when its oldest rate becomes too old, unless that was reported already. A pending job looks at
 * `beforeAt` at the latest, when the previous rates would have been too old; it is replaced when the new ones are too old sooner.
 */
export function withAgeWatched(
  world: World,
  source: RateSource,
  beforeAt: number | undefined,
): RateSource {
  const dueAt = staleFrom(source);
  if (dueAt === undefined) return { ...source, staleSince: null };
  const isFresh = world.at < dueAt;
  const staleSince = isFresh ? null : source.staleSince;
  if (staleSince !== null) return { ...source, staleSince };
  const isAwaited = source.staleJobId !== null && beforeAt !== undefined && dueAt >= beforeAt;
  if (isAwaited) return { ...source, staleSince };
  if (source.staleJobId !== null) world.cancel(source.staleJobId);
  const staleJobId = scheduleJob(world, {
    kind: "note-stale-rates",
    payload: { sourceId: source.id },
    dueAt: Math.max(dueAt, world.at),
  });
  return { ...source, staleSince, staleJobId };
}

/** The values without their times, for comparison. */
function saysOf({ rates, refused }: TakenRates): string {
  return JSON.stringify([rates.map(({ base, quote, rate }) => [base, quote, rate]), refused]);
}

/** The first moment at which the oldest rate of a source is too old; undefined without rates. */
export function staleFrom({
  rates,
  maxAgeMinutes,
}: Pick<RateSource, "rates" | "maxAgeMinutes">): number | undefined {
  if (rates.length === 0) return undefined;
  const oldest = Math.min(...rates.map(({ asOf }) => Date.parse(asOf)));
  return oldest + maxAgeMinutes * MINUTE_MS + 1;
}
