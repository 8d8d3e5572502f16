import type { StoredEvent } from "../../engine/command-log.ts";

export interface SignedEvent extends StoredEvent {
  /** The signature of the body's bytes, as in the header of a delivery. */
  readonly signature: string;
}

/** A platform's events as they are committed, by this server or another. */
export interface EventFeed {
  /** Undefined when the platform has the largest number of streams open. */
  open(platformId: string, after: bigint): EventStream | undefined;
}

export interface EventStream {
  /** The next events in order; empty when nothing came within this time, or after `end`. */
  next(patienceMs: number): Promise<readonly SignedEvent[]>;
  /** Makes `next` return nothing at once from now on. */
  end(): void;
  close(): void;
}
