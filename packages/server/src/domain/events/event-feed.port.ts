import type { StoredEvent } from "../../engine/command-log.ts";

export interface SignedEvent extends StoredEvent {
  /** Of the body's bytes, as in the header of a delivery. */
  readonly signature: string;
}

/** A platform's events as they are committed, by this server or another. */
export interface EventFeed {
  /** Undefined when the platform has as many streams as it may have. */
  open(platformId: string, after: bigint): EventStream | undefined;
}

export interface EventStream {
  /** The next events in order; empty when nothing came within this time, or after `end`. */
  next(patienceMs: number): Promise<readonly SignedEvent[]>;
  /** From now on `next` answers at once, with nothing. */
  end(): void;
  close(): void;
}
