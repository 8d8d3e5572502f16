/**
 * The functions of the host that the client uses: clock, timers, random numbers. They work in Node
 * and in browsers.
 */

const LONGEST_TIMER_MS = 2_147_483_647;

/** Resolves after `delayMs`, or at once when `signal` is aborted. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal?.addEventListener("abort", end);
  });
}

/**
 * A signal that aborts when time is up or when `outer` does. `clear` must be called when the work
 * is over.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
}

export function startDeadline(timeoutMs: number, outer?: AbortSignal): Deadline {
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMER_MS)) {
    throw new TypeError(`timeoutMs must be more than 0 and at most ${LONGEST_TIMER_MS}`);
  }
  const controller = new AbortController();
  const follow = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No answer within ${timeoutMs} ms`, "TimeoutError"));
  }, timeoutMs);
  outer?.addEventListener("abort", follow);
  if (outer?.aborted === true) follow();
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}

/** Resolves with `work`, or rejects when the signal aborts, even when `work` ignores the signal. */
export async function unlessAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Milliseconds until a point in time; never negative. */
export function millisecondsUntil(epochMs: number): number {
  return Math.max(0, epochMs - Date.now());
}

/** A number from 0 up to, not including, 1. */
export function chance(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return drawn / 2 ** 32;
}

export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
