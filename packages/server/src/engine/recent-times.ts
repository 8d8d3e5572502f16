/** The last durations of something that happens often, and their quantiles. A note costs one write; the quantiles sort. */

/** A power of two. */
const KEPT = 1_024;

export interface Quantiles {
  /** How many durations they are of. */
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface RecentTimes {
  note(durationMs: number): void;
  quantiles(): Quantiles;
}

export function createRecentTimes(): RecentTimes {
  const kept = new Float64Array(KEPT);
  let noted = 0;
  return {
    note(durationMs) {
      kept[noted++ & (KEPT - 1)] = durationMs;
    },
    quantiles() {
      const count = Math.min(noted, KEPT);
      const sorted = kept.slice(0, count).sort();
      const at = (share: number) => sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0;
      return { count, p50Ms: at(0.5), p99Ms: at(0.99) };
    },
  };
}
