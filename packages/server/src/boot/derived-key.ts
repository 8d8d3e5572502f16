import { createHmac } from "node:crypto";
import type { OpenStore } from "./open-database.ts";

/** Derives a key for one use from the data key. */
export function derivedKey(store: OpenStore, use: string): Buffer {
  return createHmac("sha256", store.dataKey).update(use).digest();
}
