import type { LiveNotice } from "./live-notice.ts";

/** Replaces notices that are no longer kept: anything on display may be out of date. */
export interface MissedNotices {
  readonly missedUpTo: bigint;
}

export type LiveItem = LiveNotice | MissedNotices;

export function isMissed(item: LiveItem): item is MissedNotices {
  return "missedUpTo" in item;
}

export interface LiveStream {
  /** The items since the last call, in order; empty when none came within this time, or after `end`. */
  next(patienceMs: number): Promise<readonly LiveItem[]>;
  /** Makes `next` return nothing at once from now on. */
  end(): void;
  hasEnded(): boolean;
  close(): void;
}

/** Notices of a platform's events, as this server or another commits them. */
export interface LiveFeed {
  /** Opens a stream after this event, or from now on. Undefined when the largest number of streams is open. */
  open(platformId: string, after: bigint | undefined): LiveStream | undefined;
}
