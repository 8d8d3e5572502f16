/**
 * A histogram with logarithmic buckets, 128 per doubling, so a quantile is off by less than half a percent and recording is an
 * array increment. The unit is 0.1 µs. Values below 25.6 µs are exact to the unit; values above 7 minutes count as 7 minutes.
 */

const UNITS_PER_MS = 10_000;
const SUB_BITS = 7;
const SUB_BUCKETS = 1 << SUB_BITS;
const LARGEST_UNIT = 0xffff_ffff;
const BUCKETS = (32 - SUB_BITS + 1) * SUB_BUCKETS;

export interface Histogram {
  record(valueMs: number): void;
  /** The quantile for a share from 0 to 1; 0 without values. */
  quantileMs(share: number): number;
  maxMs(): number;
  count(): number;
}

export function createHistogram(): Histogram {
  const counts = new Float64Array(BUCKETS);
  let total = 0;
  let largestMs = 0;
  return {
    record(valueMs) {
      const units = Math.min(LARGEST_UNIT, Math.max(0, Math.round(valueMs * UNITS_PER_MS)));
      const bucket = bucketOf(units);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      total += 1;
      if (valueMs > largestMs) largestMs = valueMs;
    },
    quantileMs(share) {
      const rank = Math.max(1, Math.ceil(share * total));
      let seen = 0;
      for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
        seen += counts[bucket] ?? 0;
        if (seen >= rank) return Math.min(largestMs, middleOf(bucket) / UNITS_PER_MS);
      }
      return 0;
    },
    maxMs: () => largestMs,
    count: () => total,
  };
}

/**
 * The index of the bucket: the number of halvings, then the seven bits after the leading one.
 */
function bucketOf(units: number): number {
  if (units < 2 * SUB_BUCKETS) return units;
  const halvings = 31 - Math.clz32(units) - SUB_BITS;
  return halvings * SUB_BUCKETS + (units >>> halvings);
}

function middleOf(bucket: number): number {
  if (bucket < 2 * SUB_BUCKETS) return bucket;
  const halvings = Math.floor(bucket / SUB_BUCKETS) - 1;
  const lowest = (bucket - halvings * SUB_BUCKETS) * 2 ** halvings;
  return lowest + (2 ** halvings - 1) / 2;
}
