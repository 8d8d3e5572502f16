import { vi } from "vitest";

/** Long enough for a busy machine; the wait ends as soon as the expectation holds. */
const LIMIT_MS = 20_000;

/** A person may make 100 calls a second, which a fast machine would make by asking all the time. */
const INTERVAL_MS = 20;

export function soon<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, { timeout: LIMIT_MS, interval: INTERVAL_MS });
}
