/**
 * Follows the live stream of a platform until it is stopped. A broken stream is reopened after 1, 2, 4 … 30 seconds, or as soon as
 * the browser is online again, and resumes after the last position. The server sends a line every 20 seconds, so a stream that is
 * silent for much longer is treated as dead.
 */
import { isNetworkLost, now, watchNetwork } from "../../std/host.ts";
import { OWN_BASE } from "../platform-send.ts";
import { sessionFetch } from "../session-fetch.ts";
import type { Notice } from "./changes.ts";
import { type Frame, framesOf } from "./frames.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const MOST_SILENT_MS = 45_000;
/** When the server ends a stream that lasted this long, for example at a step-up, it is reopened without a pause. */
const LASTED_MS = 5_000;

/** One message: a position with the object that changed there, or `isMissed` when earlier notices were lost. */
export interface Heard {
  readonly seq: number | undefined;
  readonly notice: Notice | undefined;
  readonly isMissed: boolean;
}

export interface FollowOptions {
  readonly platformId: string;
  readonly after: number | undefined;
  readonly signal: AbortSignal;
  /** Called when the stream is open. `isGapless` when it resumes after a known position. */
  onOpen(isGapless: boolean): void;
  onLost(): void;
  onHeard(heard: Heard): void;
}

export async function followLive(options: FollowOptions): Promise<void> {
  const { signal, onHeard, onLost } = options;
  let { after } = options;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    let openedAt: number | undefined;
    const hasEnded = await readOnce({
      ...options,
      after,
      onOpen(isGapless) {
        openedAt = now();
        pauseMs = FIRST_PAUSE_MS;
        options.onOpen(isGapless);
      },
      onHeard(heard) {
        after = heard.seq ?? after;
        onHeard(heard);
      },
    });
    if (signal.aborted) return;
    if (hasEnded && openedAt !== undefined && now() - openedAt > LASTED_MS) continue;
    onLost();
    await networkOr(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Returns true when the server ended the stream, false when the connection broke. */
async function readOnce(options: FollowOptions): Promise<boolean> {
  const { platformId, after, onOpen, onHeard } = options;
  const attempt = new AbortController();
  const give = () => attempt.abort();
  let watchdog = setTimeout(give, MOST_SILENT_MS);
  const unwatch = watchNetwork(() => isNetworkLost() && give());
  options.signal.addEventListener("abort", give);
  try {
    const response = await sessionFetch(`${OWN_BASE}/p/${platformId}/live`, {
      headers: after === undefined ? {} : { "last-event-id": String(after) },
      signal: attempt.signal,
    });
    if (!response.ok || response.body === null) return false;
    onOpen(after !== undefined);
    for await (const frame of framesOf(response.body)) {
      clearTimeout(watchdog);
      watchdog = setTimeout(give, MOST_SILENT_MS);
      onHeard(heardIn(frame));
    }
    return !attempt.signal.aborted;
  } catch {
    // The cause does not matter: the caller retries with a backoff.
    return false;
  } finally {
    clearTimeout(watchdog);
    unwatch();
    options.signal.removeEventListener("abort", give);
  }
}

function heardIn({ seq, event, data }: Frame): Heard {
  const notice = event === "notice" ? (JSON.parse(data) as Notice) : undefined;
  return { seq, notice, isMissed: event === "missed" };
}

/** Resolves after the delay, or earlier when the browser is online again. */
function networkOr(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, delayMs);
    const unwatch = watchNetwork(() => {
      if (!isNetworkLost()) end();
    });
    signal.addEventListener("abort", end);
    function end(): void {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener("abort", end);
      resolve();
    }
  });
}
