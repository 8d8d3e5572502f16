/**
 * Slots for exchanges with connectors. Before an order is sent, a commit says so, and that commit may take longer than the exchange: so
 * some more jobs than a connector has slots are prepared ahead. A job that may not be prepared yet waits in memory, in order, for less
 * than its lease. A job that may not wait, or finds no free slot soon after it was prepared, comes back when its turn is likely to
 * come, judged by the mean time of those before it.
 *
 * Bounds: the jobs of a connection and of this process that are prepared or exchanged, those that wait, and how long they wait. If the
 * process dies, the leases of all these jobs expire.
 */
import { createFairSemaphore, type SemaphoreTask } from "../../std/admission/fair-semaphore.ts";
import { type Clock, within } from "../../std/clock.ts";

export interface ExchangeSlots {
  /** Prepares the exchange and runs it in a slot, if it is prepared; or tells when the job is to come back. */
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

/** Of all connections together: a job under way takes a place among those of all platforms. */
const MOST_PLACES = 256;
const PLACES_PER_SLOT = 4;
/** At most so many places of one connection, or as many as it has slots. */
const PLACES_OF_ONE = 64;
/** Jobs that wait take places among those of all platforms, too. */
const MOST_WAITING = 512;
const WAITING_OF_ONE = 256;
/** Below the lease of a job. */
const LONGEST_WAIT_MS = 3_000;
/** What was prepared may be out of date later. */
const LONGEST_PREPARED_MS = 1_000;
const SOONEST_RETURN_MS = 200;
const LATEST_RETURN_MS = 10_000;
/** The weight of the latest job in the mean. */
const LATEST_WEIGHT = 1 / 16;

/** A connection that has jobs in places or waiting. */
interface Line {
  /** In places and waiting. */
  jobs: number;
  meanMs: number;
  /** When the job that was sent away last is likely to find a place. */
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

function placesOf(concurrency: number): number {
  return Math.max(concurrency, Math.min(concurrency * PLACES_PER_SLOT, PLACES_OF_ONE));
}

/** Jobs that are sent away come back one by one, at the pace of those before them. */
function sendAway(line: Line, concurrency: number, now: number): Ran<never> {
  const paceMs = line.meanMs / placesOf(concurrency);
  const turnAt = Math.max(line.promisedAt, now + line.jobs * paceMs) + paceMs;
  line.promisedAt = Math.min(turnAt, now + LATEST_RETURN_MS);
  return { hasRun: false, againInMs: Math.max(line.promisedAt - now, SOONEST_RETURN_MS) };
}

/** A task that has not started by then is cancelled. */
async function startsIn(
  task: SemaphoreTask<unknown>,
  clock: Clock,
  limitMs: number,
): Promise<boolean> {
  const started = task.started.then(() => true);
  return (await within(started, { clock, limitMs, late: () => false })) || !task.cancel();
}
