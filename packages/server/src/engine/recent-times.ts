/** The last durations of something that happens often, and their quantiles. `note` costs one write; `quantiles` sorts. */

/** A power of two, because a bit mask finds the slot to overwrite. */
const KEPT = 1_024;

export interface Quantiles {
  /** The number of durations that the quantiles are computed from. */
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
