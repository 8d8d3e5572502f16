import { vi } from "vitest";

/** Long enough for a machine that has other things to do; nobody waits longer than it takes. */
const LIMIT_MS = 20_000;

/** Looks until the expectation holds, for what tells nobody when it is done. */
export function soon<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, { timeout: LIMIT_MS, interval: 5 });
}
