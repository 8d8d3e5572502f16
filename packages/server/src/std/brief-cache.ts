/**
 * What was read lately, kept for a time that a caller would not notice. Of one key there is one read at a time: callers that come meanwhile
 * share it. A read that fails is not kept.
 *
 * Bound: `most` entries; the oldest goes first.
 */
import type { Clock } from "./clock.ts";

export interface BriefCache<Value> {
  find(key: string): Promise<Value>;
  forget(): void;
}

interface Entry<Value> {
  readonly at: number;
  readonly found: Promise<Value>;
}

export function createBriefCache<Value>(options: {
  readonly find: (key: string) => Promise<Value>;
  readonly clock: Pick<Clock, "now">;
  readonly keptMs: number;
  readonly most: number;
}): BriefCache<Value> {
  const { find, clock, keptMs, most } = options;
  const entries = new Map<string, Entry<Value>>();

  function read(key: string): Promise<Value> {
    const entry = { at: clock.now(), found: find(key) };
    entries.delete(key);
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size >= most) entries.delete(oldest);
    entries.set(key, entry);
    entry.found.catch(() => {
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.found;
  }

  return {
    find(key) {
      const entry = entries.get(key);
      const age = entry === undefined ? keptMs : clock.now() - entry.at;
      return entry !== undefined && age >= 0 && age < keptMs ? entry.found : read(key);
    },
    forget: () => entries.clear(),
  };
}
