/**
 * Entries of a log that is written beside the engine: the request log, the attempts of deliveries. They gather in memory and are
 * written about twice a second, on a connection of their own that does not wait for the disk. What is logged waits for no entry.
 *
 * Bounds: entries that wait or are being written hold 16 MB; what is made of them for a write holds less than as much again. Beyond
 * it entries are dropped and counted, and so are those of a write that failed. If the process dies, the entries since the last
 * write are lost: less than a second's, while the database keeps up.
 */
import type { Step } from "../../postgres/pipeline.ts";
import type { SerialLane } from "../../postgres/serial-lane.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";

export interface HeldLog<Entry> {
  /** Ask `hasRoom` first. */
  add(entry: Entry): void;
  /** Whether an entry may be added. One that may not counts as dropped. */
  hasRoom(): boolean;
  /** Entries that wait or are being written. */
  count(): number;
  /** Writes what was added before. Never rejects. */
  flush(): Promise<void>;
  dropped(): number;
  close(): Promise<void>;
}

const WRITE_AFTER_MS = 500;
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** A write takes a slice, so that building it does not hold up the event loop. */
const ENTRIES_A_WRITE = 256;
export const WRITE_TIMEOUT_MS = 4_500;

/** First step of a write. A process that dies loses nothing that was committed; a database that dies loses less than a second. */
export const commitWithoutWaiting: Step = {
  statement: { name: "held-log/no-wait", text: "set synchronous_commit = off" },
  parameters: [],
};

interface HeldLogOptions<Entry> {
  /** What is written, in the log of the server. */
  readonly name: string;
  /** The connection, which the log closes. Its timeout bounds how long a stop waits: see `WRITE_TIMEOUT_MS`. */
  readonly lane: SerialLane;
  readonly clock: Clock;
  readonly log: Log;
  /** The memory of an entry, about. */
  readonly bytesOf: (entry: Entry) => number;
  /** Writes some of them; they are dropped when it rejects. */
  readonly write: (entries: readonly Entry[]) => Promise<void>;
}

export function createHeldLog<Entry>(options: HeldLogOptions<Entry>): HeldLog<Entry> {
  const { name, lane, log } = options;
  const held = holdEntries(options, write);
  let dropped = 0;

  async function write(entries: readonly Entry[]): Promise<void> {
    try {
      await options.write(entries);
    } catch (error) {
      dropped += entries.length;
      const what = { err: messageOf(error), entries: entries.length };
      log.warn(what, `entries of the ${name} were not written`);
    }
  }

  return {
    add: held.add,
    hasRoom() {
      if (held.bytes() < MAX_HELD_BYTES) return true;
      dropped += 1;
      return false;
    },
    count: held.count,
    flush: held.flush,
    dropped: () => dropped,
    async close() {
      await held.flush();
      await lane.close();
    },
  };
}

/** Entries that wait to be written or are being written. There is one write at a time; what is added meanwhile waits. */
function holdEntries<Entry>(
  { clock, bytesOf }: Pick<HeldLogOptions<Entry>, "clock" | "bytesOf">,
  write: (entries: readonly Entry[]) => Promise<void>,
) {
  let waiting: Entry[] = [];
  let count = 0;
  let bytes = 0;
  let cancel: Cancel | undefined;
  let underway: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    for (let from = 0; from < taken.length; from += ENTRIES_A_WRITE) {
      const slice = taken.slice(from, from + ENTRIES_A_WRITE);
      await write(slice);
      count -= slice.length;
      for (const entry of slice) bytes -= bytesOf(entry);
    }
  }

  async function writeNext(): Promise<void> {
    cancel?.();
    cancel = undefined;
    underway ??= writeWaiting().finally(() => {
      underway = undefined;
      if (waiting.length > 0) writeSoon();
    });
    await underway;
  }

  function writeSoon(): void {
    cancel ??= clock.after(WRITE_AFTER_MS, () => void writeNext());
  }

  return {
    add(entry: Entry): void {
      waiting.push(entry);
      count += 1;
      bytes += bytesOf(entry);
      if (underway === undefined) writeSoon();
    },
    count: () => count,
    bytes: () => bytes,
    async flush(): Promise<void> {
      await underway;
      await writeNext();
    },
  };
}
