/**
 * Decides where a scan for due jobs starts and how long to pause after it. Rows of ended jobs lie before the due ones in the
 * index, and vacuum cannot remove them while an old transaction can see them, so a scan from the start passes over each of
 * them. A scan therefore resumes where the last one ended, and a scan from the start runs only as often as it is cheap.
 *
 * Only a scan from the start finds jobs that became due before the end of the last scan: after a platform's clock was moved,
 * after a commit that took longer than the overlap, from a server whose clock is slow, or after a restore.
 */

/** The pause after a scan is this many times its duration, up to the longest pause. */
const REST_PER_SCAN = 10;
const LONGEST_REST_MS = 2_000;
const LONGEST_REST_FROM_START_MS = 30_000;
const OVERLAP_MS = 1_000;

/** A scan under way. */
export interface Scan {
  readonly startedAt: number;
  /** Undefined for a scan from the start. */
  readonly from: number | undefined;
  /** Jobs due between `from` and this time are claimed; undefined while no portion was read. */
  foundUpTo: number | undefined;
  /** The duration of the scan's longest portion. */
  tookMs: number;
  lastTookMs: number;
  hasFailed: boolean;
}

export class ScanPlan {
  #foundUpTo: number | undefined;
  #fromStartAt = 0;
  #restMs = 0;

  begin(now: number): Scan {
    const from = this.#from(now);
    const nothingYet = { foundUpTo: undefined, tookMs: 0, lastTookMs: 0, hasFailed: false };
    return { startedAt: now, from, ...nothingYet };
  }

  /** How long to pause before the next scan. */
  end({ startedAt, from, foundUpTo, tookMs, lastTookMs, hasFailed }: Scan): number {
    // A scan from the start may be too long to ever succeed: when it fails, later scans still get a place to resume from.
    this.#foundUpTo = foundUpTo ?? this.#foundUpTo ?? startedAt;
    const restMs = Math.min(lastTookMs * REST_PER_SCAN, LONGEST_REST_MS);
    if (from !== undefined) return restMs;
    this.#fromStartAt = startedAt;
    this.#restMs = Math.min(tookMs * REST_PER_SCAN, LONGEST_REST_FROM_START_MS);
    // The next scan resumes behind the rows that made this one long, so it need not wait.
    return hasFailed ? restMs : 0;
  }

  #from(now: number): number | undefined {
    const sinceStart = now - this.#fromStartAt;
    // The host's clock may have been set back.
    const isDueFromStart = sinceStart < 0 || sinceStart >= this.#restMs;
    if (this.#foundUpTo === undefined || isDueFromStart) return undefined;
    return Math.min(this.#foundUpTo, now) - OVERLAP_MS;
  }
}
