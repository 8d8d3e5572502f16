/**
 * Streams of a platform's logged calls. A stream reads the table about once a second, so it shows the calls of all servers.
 *
 * The id of a row contains the time of its write, but the rows of two servers may become visible in another order: a write takes a while,
 * and clocks differ. So a stream reads again from `OVERLAP_MS` before its last read, without the rows that it has shown.
 *
 * Bounds: the streams of a platform and of this server; the rows of a read; the rows that are remembered as shown. Where a platform has
 * more calls than these within the overlap, a row that is written late may be left out.
 */
import {
  type CallFilter,
  newRequestLogs,
  type RequestLogRow,
} from "../../domain/reading/request-logs/request-log.sql.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Clock } from "../../std/clock.ts";
import { lowestIdAt } from "../../std/ids.ts";
import { WakeSignal } from "../../std/wake-signal.ts";
import type { SentStream } from "../request/server-sent-events.ts";

export const STREAMS_OF_PLATFORM = 10;
const STREAMS = 100;
const LOOK_MS = 1_000;
const OVERLAP_MS = 6_000;
const ROWS_AT_ONCE = 200;
const REMEMBERED_ROWS = 2_000;

export interface CallTail {
  readonly platformId: string;
  readonly filter: CallFilter;
  /** The id of the last row that the caller has; undefined for calls from now on. */
  readonly after: string | undefined;
}

export interface CallTails {
  /** Undefined when the platform has as many streams as it may have. */
  open(tail: CallTail): SentStream<RequestLogRow> | undefined;
}

export function createCallTails(tools: {
  readonly reads: Reads;
  readonly clock: Clock;
}): CallTails {
  const counts = new Map<string, number>();
  let count = 0;
  return {
    open(tail) {
      const { platformId } = tail;
      const own = counts.get(platformId) ?? 0;
      if (count >= STREAMS || own >= STREAMS_OF_PLATFORM) return undefined;
      counts.set(platformId, own + 1);
      count++;
      return openTail({ ...tools, ...tail }, () => {
        const left = (counts.get(platformId) ?? 1) - 1;
        if (left === 0) counts.delete(platformId);
        else counts.set(platformId, left);
        count--;
      });
    },
  };
}

function openTail(
  options: CallTail & { readonly reads: Reads; readonly clock: Clock },
  close: () => void,
): SentStream<RequestLogRow> {
  const { reads, clock, after, ...query } = options;
  const signal = new WakeSignal(clock);
  let floor = after ?? lowestIdAt(clock.now());
  /** Ids of rows that the stream has shown, in order. */
  let known: readonly string[] = [];
  let readAt = 0;
  let isCaughtUp = false;
  let isEnded = false;

  async function readOn(): Promise<readonly RequestLogRow[]> {
    readAt = clock.now();
    const { rows, end } = await newRequestLogs(reads, {
      ...query,
      floor,
      known,
      limit: ROWS_AT_ONCE,
    });
    isCaughtUp = rows.length < ROWS_AT_ONCE && end === undefined;
    const shown = [...known, ...rows.map(({ id }) => id)].sort();
    const forgotten = shown.at(-REMEMBERED_ROWS - 1) ?? floor;
    const passed = isCaughtUp ? lowestIdAt(readAt - OVERLAP_MS) : (end ?? floor);
    floor = [floor, forgotten, passed].sort().at(-1) ?? floor;
    known = shown.filter((id) => id > floor);
    return rows;
  }

  return {
    async next(patienceMs) {
      const until = clock.now() + patienceMs;
      while (!isEnded) {
        if (isCaughtUp) await signal.waitUntil(Math.min(until, readAt + LOOK_MS));
        const rows = isEnded ? [] : await readOn();
        if (rows.length > 0 || clock.now() >= until) return rows;
      }
      return [];
    },
    end() {
      isEnded = true;
      signal.set();
    },
    close,
  };
}
