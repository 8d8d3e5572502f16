/**
 * A follower of facts that only this server knows: entries gather in memory and are applied about twice a second, in slices, on a
 * connection of their own that does not wait for the disk. Nothing that adds an entry waits for it.
 *
 * Bounds: 16 MB for the entries that wait or are being applied, and less than that for the rows made of them. Beyond it entries are
 * dropped and counted, and so are those of a slice that failed. If the process dies, the entries since the last commit are lost: less
 * than a second's, while the database keeps up. Without entries there is no timer and no connection.
 */
import { createSerialLane, type SerialLane } from "../postgres/serial-lane.ts";
import type { Cancel, Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { FollowTools } from "./follower.ts";

export interface QueueFollower<Entry> {
  /** The name of its connection, also used in the log of the server. */
  readonly name: string;
  /** The approximate memory of an entry. */
  readonly bytesOf: (entry: Entry) => number;
  /** Applies some of them; they are dropped when it rejects. */
  readonly apply: (lane: SerialLane, entries: readonly Entry[]) => Promise<void>;
}

export interface QueueEnd {
  /** Applies the entries added so far. Never rejects. */
  flush(): Promise<void>;
  /** Entries that were lost. */
  dropped(): number;
  close(): Promise<void>;
}

export interface FollowedQueue<Entry> extends QueueEnd {
  readonly lane: SerialLane;
  /** Ask `hasRoom` first. */
  add(entry: Entry): void;
  /** Whether an entry may be added. One that may not counts as dropped. */
  hasRoom(): boolean;
  /** Entries that wait or are being applied. */
  count(): number;
}

const APPLY_AFTER_MS = 500;
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Small enough that building a slice does not block the event loop. */
const ENTRIES_A_SLICE = 256;
/** Bounds how long a stop waits. */
const TIMEOUT_MS = 4_500;

export function followQueue<Entry>(
  { name, bytesOf, apply }: QueueFollower<Entry>,
  { database, clock, log }: FollowTools,
): FollowedQueue<Entry> {
  const lane = createSerialLane(database, name, { clock, timeoutMs: TIMEOUT_MS });
  let bytes = 0;
  let dropped = 0;
  const queue = createQueue<Entry>(clock, async (entries) => {
    try {
      await apply(lane, entries);
    } catch (error) {
      dropped += entries.length;
      const what = { err: messageOf(error), entries: entries.length };
      log.warn(what, `entries of the ${name} were not written`);
    }
    for (const entry of entries) bytes -= bytesOf(entry);
  });

  return {
    lane,
    add(entry) {
      bytes += bytesOf(entry);
      queue.add(entry);
    },
    hasRoom() {
      if (bytes < MAX_HELD_BYTES) return true;
      dropped += 1;
      return false;
    },
    count: queue.count,
    flush: queue.flush,
    dropped: () => dropped,
    async close() {
      await queue.flush();
      await lane.close();
    },
  };
}

/** One slice is applied at a time; what is added meanwhile waits. */
function createQueue<Entry>(clock: Clock, apply: (entries: readonly Entry[]) => Promise<void>) {
  let waiting: Entry[] = [];
  let count = 0;
  let cancel: Cancel | undefined;
  let underway: Promise<void> | undefined;

  async function applyWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    for (let from = 0; from < taken.length; from += ENTRIES_A_SLICE) {
      const slice = taken.slice(from, from + ENTRIES_A_SLICE);
      await apply(slice);
      count -= slice.length;
    }
  }

  async function applyNext(): Promise<void> {
    cancel?.();
    cancel = undefined;
    underway ??= applyWaiting().finally(() => {
      underway = undefined;
      if (waiting.length > 0) applySoon();
    });
    await underway;
  }

  function applySoon(): void {
    cancel ??= clock.after(APPLY_AFTER_MS, () => void applyNext());
  }

  return {
    add(entry: Entry): void {
      waiting.push(entry);
      count += 1;
      if (underway === undefined) applySoon();
    },
    count: () => count,
    async flush(): Promise<void> {
      await underway;
      await applyNext();
    },
  };
}
