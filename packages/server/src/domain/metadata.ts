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
