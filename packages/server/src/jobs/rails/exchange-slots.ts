/**
 * Slots for exchanges with connectors. A commit before each exchange marks the order as being sent, and may take longer than the
 * exchange; so more jobs are prepared than a connector has slots. A job that cannot be prepared yet waits in memory, in order, for less
 * than its lease. When too many wait, or no slot is free soon after it was prepared, the job is released until its likely turn, judged by
 * the mean time of earlier jobs.
 *
 * Bounds: the jobs of a connection and of this process that are prepared or exchanged, those that wait, and how long they wait. If the
 * process dies, the leases of all these jobs expire.
 */
import type { ExchangeRoom } from "../../domain/rails/orders/exchange-room.port.ts";
import { createFairSemaphore, type SemaphoreTask } from "../../std/admission/fair-semaphore.ts";
import { type Clock, within } from "../../std/clock.ts";

export interface ExchangeSlots {
  /** Whether a further job of the connection would probably begin within `SOON_MS`, judged by the mean time of earlier jobs. */
  readonly hasRoom: ExchangeRoom;
  /** Prepares the exchange and, unless it is skipped, runs it in a slot; or answers when to try the job again. */
  run<Prepared, Skipped, T>(
    connection: Limited,
    steps: Steps<Prepared, Skipped, T>,
  ): Promise<Ran<Skipped | T>>;
}

export interface Limited {
  readonly id: string;
  readonly concurrency: number;
}

export interface Steps<Prepared, Skipped, T> {
  /** `skip` is the result of a run without an exchange. */
  readonly prepare: () => Promise<{ readonly prepared: Prepared } | { readonly skip: Skipped }>;
  readonly exchange: (prepared: Prepared) => Promise<T>;
}

export type Ran<T> =
  | { readonly hasRun: true; readonly result: T }
  | { readonly hasRun: false; readonly againInMs: number };

/** Most jobs of all connections that are prepared or exchanged: they count towards the jobs under way of all platforms. */
const MOST_PLACES = 256;
const PLACES_PER_SLOT = 4;
/** Most jobs of one connection that are prepared or exchanged, unless it has more slots. */
const PLACES_OF_ONE = 64;
/** Waiting jobs count towards the jobs under way of all platforms, too. */
const MOST_WAITING = 512;
const WAITING_OF_ONE = 256;
/** Below the lease of a job. */
const LONGEST_WAIT_MS = 3_000;
/** Later than this, the prepared order may be out of date. */
const LONGEST_PREPARED_MS = 1_000;
/** Well below `LONGEST_WAIT_MS`. */
const SOON_MS = 500;
const SOONEST_RETURN_MS = 200;
const LATEST_RETURN_MS = 10_000;
/** The weight of the latest job in the mean. */
const LATEST_WEIGHT = 1 / 16;

/** A connection with jobs that are prepared, exchanged or waiting. */
interface Line {
  /** Jobs that are prepared or exchanged, and waiting jobs. */
  jobs: number;
  meanMs: number;
  /** When the last released job can probably be prepared. */
  promisedAt: number;
}

export function createExchangeSlots(clock: Clock): ExchangeSlots {
  const places = createFairSemaphore({ slots: MOST_PLACES, perKey: MOST_PLACES });
  const slots = createFairSemaphore({ slots: MOST_PLACES, perKey: MOST_PLACES });
  const lines = new Map<string, Line>();
  let waiting = 0;

  function lineOf(id: string): Line {
    const known = lines.get(id);
    if (known !== undefined) return known;
    const line: Line = { jobs: 0, meanMs: 0, promisedAt: 0 };
    lines.set(id, line);
    return line;
  }

  async function inPlace<Prepared, Skipped, T>(
    line: Line,
    { id, concurrency }: Limited,
    { prepare, exchange }: Steps<Prepared, Skipped, T>,
  ): Promise<Ran<Skipped | T>> {
    const startedAt = clock.now();
    try {
      const ready = await prepare();
      if ("skip" in ready) return { hasRun: true, result: ready.skip };
      const task = slots.run(id, () => exchange(ready.prepared), concurrency);
      if (!(await startsIn(task, clock, LONGEST_PREPARED_MS)))
        return sendAway(line, concurrency, clock.now());
      return { hasRun: true, result: await task.result };
    } finally {
      line.meanMs += (clock.now() - startedAt - line.meanMs) * LATEST_WEIGHT;
    }
  }

  async function inTurn<Prepared, Skipped, T>(
    line: Line,
    connection: Limited,
    steps: Steps<Prepared, Skipped, T>,
  ): Promise<Ran<Skipped | T>> {
    const { id, concurrency } = connection;
    const task = places.run(id, () => inPlace(line, connection, steps), placesOf(concurrency));
    const own = line.jobs > placesOf(concurrency) ? 1 : 0;
    waiting += own;
    const hasStarted = await startsIn(task, clock, LONGEST_WAIT_MS);
    waiting -= own;
    return hasStarted ? task.result : sendAway(line, concurrency, clock.now());
  }

  return {
    hasRoom: ({ id, concurrency }) => beginsSoon(lines.get(id), placesOf(concurrency)),
    async run(connection, steps) {
      const { id, concurrency } = connection;
      const line = lineOf(id);
      const ahead = line.jobs - placesOf(concurrency);
      if (ahead >= 0 && (ahead >= WAITING_OF_ONE || waiting >= MOST_WAITING)) {
        return sendAway(line, concurrency, clock.now());
      }
      line.jobs += 1;
      try {
        return await inTurn(line, connection, steps);
      } finally {
        line.jobs -= 1;
        if (line.jobs === 0) lines.delete(id);
      }
    },
  };
}

/** While no mean time is known, only a job that begins at once begins soon. */
function beginsSoon(line: Line | undefined, places: number): boolean {
  const { jobs, meanMs } = line ?? NO_JOBS;
  const ahead = jobs - places;
  return ahead < 0 || (meanMs > 0 && ahead < WAITING_OF_ONE && (ahead * meanMs) / places < SOON_MS);
}

const NO_JOBS: Pick<Line, "jobs" | "meanMs"> = { jobs: 0, meanMs: 0 };

function placesOf(concurrency: number): number {
  return Math.max(concurrency, Math.min(concurrency * PLACES_PER_SLOT, PLACES_OF_ONE));
}

/** Released jobs are tried again one by one, at the pace of earlier jobs. */
function sendAway(line: Line, concurrency: number, now: number): Ran<never> {
  const paceMs = line.meanMs / placesOf(concurrency);
  const turnAt = Math.max(line.promisedAt, now + line.jobs * paceMs) + paceMs;
  line.promisedAt = Math.min(turnAt, now + LATEST_RETURN_MS);
  return { hasRun: false, againInMs: Math.max(line.promisedAt - now, SOONEST_RETURN_MS) };
}

/** Whether the task started within the limit; otherwise it is cancelled. */
async function startsIn(
  task: SemaphoreTask<unknown>,
  clock: Clock,
  limitMs: number,
): Promise<boolean> {
  const started = task.started.then(() => true);
  return (await within(started, { clock, limitMs, late: () => false })) || !task.cancel();
}
