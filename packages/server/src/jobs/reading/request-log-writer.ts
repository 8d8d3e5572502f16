/** Writes the request log. No call waits for its entry. */
import type { LoggedCall, RequestLog } from "../../domain/reading/request-logs/request-log.port.ts";
import {
  addToDayStep,
  contentIdentity,
  keyDigest,
  type RequestLogContent,
  type RequestLogRow,
  requestLogContents,
  requestLogs,
} from "../../domain/reading/request-logs/request-log.sql.ts";
import { followQueue, type QueueEnd, type QueueFollower } from "../../followers/follow-queue.ts";
import { commitWithoutWaiting, type FollowTools } from "../../followers/follower.ts";
import type { Step } from "../../postgres/pipeline.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import { dayOf } from "../../std/clock.ts";
import { groupBy } from "../../std/group.ts";
import { randomIds } from "../../std/ids.ts";
import { createDailyBudget } from "./daily-budget.ts";

export interface RequestLogWriter extends RequestLog, QueueEnd {
  /** Reads how many rows the day has. */
  start(): Promise<void>;
}

const CALLS_A_CONTENT = 64;
const CONTENT_CHARS = 256 * 1024;
/** Estimated memory of a row without its content and path. */
const ROW_BYTES = 1_024;

interface WriterOptions extends FollowTools {
  readonly sealer: Sealer;
  /** The key of the digests of idempotency keys. */
  readonly digestKey: string;
  readonly rowsPerDay: number;
}

export function createRequestLogWriter(options: WriterOptions): RequestLogWriter {
  const { clock, rowsPerDay } = options;
  const budget = createDailyBudget(rowsPerDay);
  const toSteps = stepsMaker(options);
  const follower: QueueFollower<LoggedCall> = {
    name: "request log",
    bytesOf,
    async apply(lane, calls) {
      const day = dayOf(calls[0]?.createdAt ?? clock.now());
      const counted = addToDayStep(day, calls.length);
      const { rows } = await lane.run(commitWithoutWaiting, ...toSteps(calls), counted);
      budget.learn(day, Number(rows[0]?.[0] ?? 0), queue.count() - calls.length);
    },
  };
  const queue = followQueue(follower, options);

  return {
    admit(kind) {
      const oneIn = budget.take(kind, clock.now());
      return oneIn === 0 || queue.hasRoom() ? oneIn : 0;
    },
    add: queue.add,
    async start() {
      const day = dayOf(clock.now());
      const { rows } = await queue.lane.run(addToDayStep(day, 0));
      budget.learn(day, Number(rows[0]?.[0] ?? 0), queue.count());
    },
    flush: queue.flush,
    dropped: queue.dropped,
    close: queue.close,
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
    // The id carries the time of the write, so that a platform's streams find new rows after those already read.
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
