/**
 * Answers of server-sent events. A line is sent at least every `HEARTBEAT_MS`, and the caller's credentials are checked as often, unless
 * the stream is guarded. When the server stops, the stream ends with the delay after which the caller shall reconnect.
 */
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import type { StreamedAnswer, StreamLife } from "./operation.ts";

const HEARTBEAT_MS = 20_000;
const RETRY = "retry: 1000\n\n";
export const LAST_EVENT_ID = "Last-Event-ID";

/** The source of the items of a stream. */
export interface SentStream<Item> {
  /** The next items in order; empty when nothing came within this time, or after `end`. */
  next(patienceMs: number): Promise<readonly Item[]>;
  /** From now on `next` returns no items, at once. */
  end(): void;
  /** Defined for a stream that ends by itself. */
  hasEnded?(): boolean;
  close(): void;
}

export interface SentEvents<Item> {
  /** Undefined when the platform has as many streams as it may have. */
  readonly open: () => SentStream<Item> | undefined;
  /** The comment with which the stream begins. */
  readonly opening: string;
  readonly toFrame: (item: Item) => string;
  readonly clock: Clock;
  /** The stream ends by itself when the credentials of its caller become invalid. */
  readonly isGuarded?: true;
}

export function eventStreamAnswer<Item>(events: SentEvents<Item>): StreamedAnswer {
  return {
    status: 200,
    contentType: "text/event-stream; charset=utf-8",
    // Without this header some proxies buffer the stream.
    headers: ["X-Accel-Buffering", "no"],
    endsWithCaller: true,
    body: (life) => framesOf(events, life),
  };
}

async function* framesOf<Item>(
  { open, opening, toFrame, clock, isGuarded }: SentEvents<Item>,
  life: StreamLife,
): AsyncGenerator<string, void> {
  const stream = open();
  if (stream === undefined) {
    const words = "The platform has as many of these streams open as it may have.";
    throw new Refusal("RATE_LIMITED", { retryAfterSeconds: 5 }, words);
  }
  life.onEnding(stream.end);
  try {
    yield `: ${opening}\n\n`;
    let confirmedAt = clock.now();
    const isEnding = () => life.isEnding() || stream.hasEnded?.() === true;
    while (!isEnding()) {
      const items = await stream.next(HEARTBEAT_MS);
      if (isGuarded !== true && clock.now() - confirmedAt >= HEARTBEAT_MS) {
        if (!(await isStillGood(life))) return;
        confirmedAt = clock.now();
      }
      if (items.length > 0) yield items.map(toFrame).join("");
      else if (!isEnding()) yield ": heartbeat\n\n";
    }
    yield RETRY;
  } finally {
    stream.close();
  }
}

/** A caller whose token was deleted meanwhile gets nothing more. */
function isStillGood(life: StreamLife): Promise<boolean> {
  return life.confirm().then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof Refusal) return false;
      throw thrown;
    },
  );
}
