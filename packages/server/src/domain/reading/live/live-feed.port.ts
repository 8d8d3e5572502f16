import type { LiveNotice } from "./live-notice.ts";

/** In place of events that are no longer kept: whatever is shown may have changed. */
export interface MissedNotices {
  readonly missedUpTo: bigint;
}

export type LiveItem = LiveNotice | MissedNotices;

export function isMissed(item: LiveItem): item is MissedNotices {
  return "missedUpTo" in item;
}

export interface LiveStream {
  /** What came after the last answer, in order; empty when nothing came within this time, or after `end`. */
  next(patienceMs: number): Promise<readonly LiveItem[]>;
  /** From now on `next` answers at once, with nothing. */
  end(): void;
  hasEnded(): boolean;
  close(): void;
}

/** Notices of a platform's events, as this server or another commits them. */
export interface LiveFeed {
  /** From behind this event, or from now on. Undefined when as many streams are open as may be. */
  open(platformId: string, after: bigint | undefined): LiveStream | undefined;
}
