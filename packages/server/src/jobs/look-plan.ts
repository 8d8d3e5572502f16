/**
 * From when on a look for due jobs searches, and how long to rest after it. The rows of jobs that have ended lie before the
 * jobs that are due, and while anybody's transaction can still see them they cannot be cleared away: a look from the start
 * passes over every one of them. So a look goes on where the last one ended, and one from the start comes as often as it is
 * cheap.
 *
 * Only that one finds what has come to lie before the end of the last look: the jobs of a platform whose clock was moved
 * on, of a commit that took longer than the overlap, of a server whose clock is slow, of a backup that was taken back.
 */

/** Whatever took long is not done again for so many times as long, up to a longest rest. */
const REST_PER_LOOK = 10;
const LONGEST_REST_MS = 2_000;
const LONGEST_REST_FROM_START_MS = 30_000;
const OVERLAP_MS = 1_000;

/** A look under way. */
export interface Look {
  readonly startedAt: number;
  /** Undefined: from the start. */
  readonly from: number | undefined;
  /** Whatever was due before is taken, as far as it lies after `from`; undefined when nothing was looked at. */
  foundUpTo: number | undefined;
  /** The longest of its portions. */
  tookMs: number;
  lastTookMs: number;
  hasFailed: boolean;
}

export class LookPlan {
  #foundUpTo: number | undefined;
  #fromStartAt = 0;
  #restMs = 0;

  begin(now: number): Look {
    const from = this.#from(now);
    const nothingYet = { foundUpTo: undefined, tookMs: 0, lastTookMs: 0, hasFailed: false };
    return { startedAt: now, from, ...nothingYet };
  }

  /** How long to rest before the next one. */
  end({ startedAt, from, foundUpTo, tookMs, lastTookMs, hasFailed }: Look): number {
    // A look from the start that fails leaves the others something to go on from: it may be too long to ever succeed.
    this.#foundUpTo = foundUpTo ?? this.#foundUpTo ?? startedAt;
    const restMs = Math.min(lastTookMs * REST_PER_LOOK, LONGEST_REST_MS);
    if (from !== undefined) return restMs;
    this.#fromStartAt = startedAt;
    this.#restMs = Math.min(tookMs * REST_PER_LOOK, LONGEST_REST_FROM_START_MS);
    // What made it take long is not in the way of the next one.
    return hasFailed ? restMs : 0;
  }

  #from(now: number): number | undefined {
    const sinceStart = now - this.#fromStartAt;
    // A host's clock can be set back.
    const isDueFromStart = sinceStart < 0 || sinceStart >= this.#restMs;
    if (this.#foundUpTo === undefined || isDueFromStart) return undefined;
    return Math.min(this.#foundUpTo, now) - OVERLAP_MS;
  }
}
