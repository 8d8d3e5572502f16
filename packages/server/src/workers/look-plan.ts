/**
 * From when on a look for due jobs searches. The rows of jobs that have ended lie before the jobs that are due, and while
 * anybody's transaction can still see them they cannot be cleared away: a look from the start passes over every one of
 * them. So a look goes on where the last one ended, and one from the start comes as often as it is cheap.
 *
 * Only that one finds what has come to lie before the end of the last look: the jobs of a platform whose clock was moved
 * on, of a commit that took longer than the overlap, of a server whose clock is slow, of a backup that was taken back.
 */

/** After a look from the start there is no other for so many times as long, up to the longest rest. */
const REST_PER_LOOK = 10;
const LONGEST_REST_MS = 30_000;
const OVERLAP_MS = 1_000;

export interface EndedLook {
  readonly startedAt: number;
  /** Undefined: from the start. */
  readonly from: number | undefined;
  /** How long its longest portion took. */
  readonly tookMs: number;
  /** Whatever was due before is taken; undefined when nothing was looked at. */
  readonly foundUpTo: number | undefined;
}

export class LookPlan {
  #foundUpTo: number | undefined;
  #wholeAt = 0;
  #restMs = 0;

  /** Undefined: from the start. */
  from(now: number): number | undefined {
    const sinceWhole = now - this.#wholeAt;
    // A host's clock can be set back.
    const isWholeDue = sinceWhole < 0 || sinceWhole >= this.#restMs;
    if (this.#foundUpTo === undefined || isWholeDue) return undefined;
    return Math.min(this.#foundUpTo, now) - OVERLAP_MS;
  }

  ended({ startedAt, from, tookMs, foundUpTo }: EndedLook): void {
    // A look from the start that fails leaves the others something to go on from: it may be too long to ever succeed.
    this.#foundUpTo = foundUpTo ?? this.#foundUpTo ?? startedAt;
    if (from !== undefined) return;
    this.#wholeAt = startedAt;
    this.#restMs = Math.min(tookMs * REST_PER_LOOK, LONGEST_REST_MS);
  }
}
