/**
 * Answers of server-sent events. A line is sent at least every `HEARTBEAT_MS`, and as often it is checked whether the caller's
 * credentials are still good, unless the stream sees to that itself. When the server stops, the stream ends with the time after which the caller shall come back.
 */
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import type { StreamedAnswer, StreamLife } from "./operation.ts";

const HEARTBEAT_MS = 20_000;
const RETRY = "retry: 1000\n\n";
export const LAST_EVENT_ID = "Last-Event-ID";

/** What a stream sends, as it comes to be. */
export interface SentStream<Item> {
  /** The next items in order; empty when nothing came within this time, or after `end`. */
  next(patienceMs: number): Promise<readonly Item[]>;
  /** From now on `next` answers at once, with nothing. */
  end(): void;
  /** Of a stream that ends by itself. */
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
  /** The stream ends by itself when its caller's credentials are no longer good. */
  readonly isGuarded?: true;
}

export function eventStreamAnswer<Item>(events: SentEvents<Item>): StreamedAnswer {
  return {
    status: 200,
    contentType: "text/event-stream; charset=utf-8",
    // Some proxies would collect the stream.
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
