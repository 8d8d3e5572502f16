/**
 * Writes the request log. Calls gather in memory and are written about twice a second, on a connection of their own that does
 * not wait for the disk. No call waits for its entry.
 *
 * Bounds: calls that wait or are being written hold 16 MB; what is made of them for a write holds less than as much again. Beyond
 * it, calls are dropped and counted, and so are those of a write that failed. If the process dies, the calls since the last
 * write are lost: less than a second's, while the database keeps up.
 */

import type { LoggedCall, RequestLog } from "../../domain/request-logs/request-log.port.ts";
import {
  addToDayStep,
  commitWithoutWaiting,
  contentIdentity,
  keyDigest,
  type RequestLogContent,
  type RequestLogRow,
  requestLogContents,
  requestLogs,
} from "../../domain/request-logs/request-log.sql.ts";
import type { Database } from "../../postgres/database.ts";
import type { Step } from "../../postgres/pipeline.ts";
import { createSerialLane } from "../../postgres/serial-lane.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { type Cancel, type Clock, dayOf } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import { groupBy } from "../../std/group.ts";
import { randomIds } from "../../std/ids.ts";
import type { Log } from "../../std/log.ts";
import { createDailyBudget } from "./daily-budget.ts";

export interface RequestLogWriter extends RequestLog {
  /** Reads how many rows the day has. */
  start(): Promise<void>;
  /** Writes what was added before. Never rejects. */
  flush(): Promise<void>;
  dropped(): number;
  close(): Promise<void>;
}

const WRITE_AFTER_MS = 500;
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** A write takes a slice, so that building it does not hold up the event loop. */
const CALLS_A_WRITE = 256;
const CALLS_A_CONTENT = 64;
const CONTENT_CHARS = 256 * 1024;
/** A row with its object and short texts. */
const ROW_BYTES = 1_024;
const WRITE_TIMEOUT_MS = 4_500;

interface WriterOptions {
  readonly database: Database;
  readonly sealer: Sealer;
  /** The key of the digests of idempotency keys. */
  readonly digestKey: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly rowsPerDay: number;
}

export function createRequestLogWriter(options: WriterOptions): RequestLogWriter {
  const { database, clock, log, rowsPerDay } = options;
  const lane = createSerialLane(database, "request log", { clock, timeoutMs: WRITE_TIMEOUT_MS });
  const budget = createDailyBudget(rowsPerDay);
  const toSteps = stepsMaker(options);
  const held = holdCalls(clock, write);
  let dropped = 0;

  async function write(calls: readonly LoggedCall[]): Promise<void> {
    const day = dayOf(calls[0]?.createdAt ?? clock.now());
    try {
      const { rows } = await lane.run(
        commitWithoutWaiting,
        ...toSteps(calls),
        addToDayStep(day, calls.length),
      );
      budget.learn(day, Number(rows[0]?.[0] ?? 0), held.count() - calls.length);
    } catch (error) {
      dropped += calls.length;
      log.warn({ err: messageOf(error), calls: calls.length }, "the request log was not written");
    }
  }

  return {
    admit(kind) {
      const oneIn = budget.take(kind, clock.now());
      if (oneIn === 0 || held.bytes() < MAX_HELD_BYTES) return oneIn;
      dropped += 1;
      return 0;
    },
    add: held.add,
    async start() {
      const day = dayOf(clock.now());
      const { rows } = await lane.run(addToDayStep(day, 0));
      budget.learn(day, Number(rows[0]?.[0] ?? 0), held.count());
    },
    flush: held.flush,
    dropped: () => dropped,
    async close() {
      await held.flush();
      await lane.close();
    },
  };
}

/** Calls that wait to be written or are being written. There is one write at a time; what is added meanwhile waits. */
function holdCalls(clock: Clock, write: (calls: readonly LoggedCall[]) => Promise<void>) {
  let waiting: LoggedCall[] = [];
  let count = 0;
  let bytes = 0;
  let cancel: Cancel | undefined;
  let underway: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    const taken = waiting;
    waiting = [];
    for (let from = 0; from < taken.length; from += CALLS_A_WRITE) {
      const slice = taken.slice(from, from + CALLS_A_WRITE);
      await write(slice);
      count -= slice.length;
      for (const call of slice) bytes -= bytesOf(call);
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
    add(call: LoggedCall): void {
      waiting.push(call);
      count += 1;
      bytes += bytesOf(call);
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

/** Texts count with two bytes a character. */
function bytesOf({ content, path }: LoggedCall): number {
  return ROW_BYTES + 2 * (content.length + path.length);
}

/** Makes the rows of calls, and seals their contents together. */
function stepsMaker({
  sealer,
  digestKey,
  clock,
}: Pick<WriterOptions, "sealer" | "digestKey" | "clock">) {
  const ids = randomIds();

  function rowOf(call: LoggedCall, contentId: string, contentPlace: number): RequestLogRow {
    const { platformId, idempotencyKey, content, ...facts } = call;
    const digest =
      idempotencyKey === undefined ? null : keyDigest(digestKey, platformId, idempotencyKey);
    // Of the time of the write, so that the streams of a platform find new rows behind those that they have read.
    const id = ids.next(Math.max(clock.now(), call.createdAt));
    return { ...facts, id, keyDigest: digest, contentId, contentPlace };
  }

  function contentOf(platformId: string, calls: readonly LoggedCall[]): RequestLogContent {
    const at = calls[0]?.createdAt ?? 0;
    const id = ids.next(at);
    const text = `[${calls.map(({ content }) => content).join(",")}]`;
    const sealed = sealer.sealBytes(Buffer.from(text), contentIdentity(platformId, id));
    return { id, at, sealed };
  }

  return (calls: readonly LoggedCall[]): readonly Step[] =>
    [...groupBy(calls, ({ platformId }) => platformId)].flatMap(([platformId, own]) => {
      const rows: RequestLogRow[] = [];
      const contents: RequestLogContent[] = [];
      for (const part of partsOf(own)) {
        const content = contentOf(platformId, part);
        contents.push(content);
        for (const [place, call] of part.entries()) rows.push(rowOf(call, content.id, place));
      }
      return [
        requestLogContents.insertStep(platformId, contents),
        requestLogs.insertStep(platformId, rows),
      ];
    });
}

/** Divides calls into parts that are sealed together. */
function partsOf(calls: readonly LoggedCall[]): readonly (readonly LoggedCall[])[] {
  const parts: LoggedCall[][] = [];
  let part: LoggedCall[] = [];
  let chars = 0;
  for (const call of calls) {
    if (part.length === CALLS_A_CONTENT || (part.length > 0 && chars > CONTENT_CHARS)) {
      parts.push(part);
      part = [];
      chars = 0;
    }
    part.push(call);
    chars += call.content.length;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
