/**
 * Counts the units of a bounded resource that are in use, in total and per key (a platform).
 *
 * Bounds: the keys together take at most `total` units. A key takes at most `mostOf(left)` units, where `left` is the number
 * of units that remain. A key without units is not kept in memory.
 */
export interface FairShare {
  /** Takes units. Otherwise takes none and returns the limit that would be exceeded, that of the key first. */
  take(key: string, units?: number): "taken" | "key-full" | "full";
  giveBack(key: string, units?: number): void;
}

export function createFairShare(options: {
  readonly total: number;
  readonly mostOf: (left: number) => number;
}): FairShare {
  const unitsByKey = new Map<string, number>();
  let left = options.total;
  return {
    take(key, units = 1) {
      const own = (unitsByKey.get(key) ?? 0) + units;
      if (own > options.mostOf(left - units)) return "key-full";
      if (units > left) return "full";
      unitsByKey.set(key, own);
      left -= units;
      return "taken";
    },
    giveBack(key, units = 1) {
      left += units;
      const own = (unitsByKey.get(key) ?? 0) - units;
      if (own > 0) unitsByKey.set(key, own);
      else unitsByKey.delete(key);
    },
  };
}
