/**
 * The trace that a piece of work belongs to, as W3C `traceparent`. It follows the asynchronous calls of the work. The first trace
 * turns the tracking on: a server that never gets one does not pay for it.
 */
import { AsyncLocalStorage } from "node:async_hooks";

const storage = new AsyncLocalStorage<string | undefined>();
let wasUsed = false;

/** Runs the work as part of a trace, or of none. */
export function runTraced<T>(traceparent: string | undefined, work: () => T): T {
  if (traceparent === undefined && !wasUsed) return work();
  wasUsed = true;
  return storage.run(traceparent, work);
}

export function currentTrace(): string | undefined {
  return wasUsed ? storage.getStore() : undefined;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
const VERSION_0 = "00";
const LENGTH = 55;

/**
 * A `traceparent` that may be passed on; undefined for any other text, which then counts as not sent. Of a later version only the
 * part that version 00 defines is used, as the recommendation says.
 */
export function traceparentOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== "string" || header.length < LENGTH) return undefined;
  const isLater = !header.startsWith(VERSION_0) && header[LENGTH] === "-";
  if (header.length > LENGTH && !isLater) return undefined;
  const text = header.slice(0, LENGTH);
  return TRACEPARENT.test(text) ? `${VERSION_0}${text.slice(2)}` : undefined;
}

export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
