import type { JsonObject } from "../std/json.ts";

/**
 * What a caller attaches to an object for its own use. It is stored and given back, and never interpreted or logged. An object is
 * found by the keys that its platform has declared.
 */
export type Metadata = Readonly<Record<string, string>> & JsonObject;

/** The column's value: null when there is none, so that a row without metadata holds nothing for it. */
export function metadataOf(sent: Readonly<Record<string, string>> | undefined): Metadata | null {
  return sent === undefined || Object.keys(sent).length === 0 ? null : sent;
}

/** Whether both hold the same keys and values, in whatever order. */
export function isSameMetadata(one: Metadata | null, other: Metadata | null): boolean {
  const [mine, others] = [Object.entries(one ?? {}), new Map(Object.entries(other ?? {}))];
  return mine.length === others.size && mine.every(([key, value]) => others.get(key) === value);
}
