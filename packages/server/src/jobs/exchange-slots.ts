/**
 * Slots for exchanges with connectors. A job that finds no free slot waits in memory, in order, for less than its lease. A job that
 * may not wait comes back when its turn is likely to come, judged by the mean time of an exchange.
 *
 * Bounds: the exchanges under way of a connection and of this process, the jobs that wait, and how long they wait. If the process
 * dies, the leases of the waiting jobs expire.
 */
import { createFairSemaphore } from "../std/admission/fair-semaphore.ts";
import { type Clock, within } from "../std/clock.ts";

export interface ExchangeSlots {
  /** Runs the exchange in a slot, or tells when the job is to come back. */
  run<T>(connection: Limited, exchange: () => Promise<T>): Promise<Ran<T>>;
}

export interface Limited {
  readonly id: string;
  readonly concurrency: number;
}

export type Ran<T> =
  | { readonly hasRun: true; readonly result: T }
  | { readonly hasRun: false; readonly againInMs: number };

/** Of all connections together: a job under way takes a place among those of all platforms. */
const MOST_EXCHANGES = 256;
/** Jobs that wait take places among those of all platforms, too. */
const MOST_WAITING = 512;
const WAITING_OF_ONE = 256;
/** Below the lease of a job. */
const LONGEST_WAIT_MS = 3_000;
const SOONEST_RETURN_MS = 200;
const LATEST_RETURN_MS = 10_000;
/** The weight of the latest exchange in the mean. */
const LATEST_WEIGHT = 1 / 16;

/** A connection that has jobs in slots or waiting. */
interface Line {
  /** In slots and waiting. */
  jobs: number;
  meanMs: number;
  /** When the job that was sent away last is likely to find a slot. */
  promisedAt: number;
}

export function createExchangeSlots(clock: Clock): ExchangeSlots {
  const semaphore = createFairSemaphore({ slots: MOST_EXCHANGES, perKey: MOST_EXCHANGES });
  const lines = new Map<string, Line>();
  let waiting = 0;

  function lineOf(id: string): Line {
    const known = lines.get(id);
    if (known !== undefined) return known;
    const line: Line = { jobs: 0, meanMs: 0, promisedAt: 0 };
    lines.set(id, line);
    return line;
  }

  /** Jobs that are sent away come back one by one, at the pace of the exchanges, behind those that wait. */
  function sendAway(line: Line, concurrency: number): Ran<never> {
    const now = clock.now();
    const paceMs = line.meanMs / concurrency;
    const turnAt = Math.max(line.promisedAt, now + line.jobs * paceMs) + paceMs;
    line.promisedAt = Math.min(turnAt, now + LATEST_RETURN_MS);
    return { hasRun: false, againInMs: Math.max(line.promisedAt - now, SOONEST_RETURN_MS) };
  }

  async function timed<T>(line: Line, exchange: () => Promise<T>): Promise<T> {
    const startedAt = clock.now();
    try {
      return await exchange();
    } finally {
      line.meanMs += (clock.now() - startedAt - line.meanMs) * LATEST_WEIGHT;
    }
  }

  async function inTurn<T>(
    line: Line,
    { id, concurrency }: Limited,
    exchange: () => Promise<T>,
  ): Promise<Ran<T>> {
    const task = semaphore.run(id, () => timed(line, exchange), concurrency);
    const started = task.started.then(() => true);
    waiting += 1;
    const isStarted = await within(started, { clock, limitMs: LONGEST_WAIT_MS, late: () => false });
    waiting -= 1;
    if (!isStarted && task.cancel()) return sendAway(line, concurrency);
    return { hasRun: true, result: await task.result };
  }

  return {
    async run(connection, exchange) {
      const { id, concurrency } = connection;
      const line = lineOf(id);
      const ahead = line.jobs - concurrency;
      if (ahead >= 0 && (ahead >= WAITING_OF_ONE || waiting >= MOST_WAITING)) {
        return sendAway(line, concurrency);
      }
      line.jobs += 1;
      try {
        return await inTurn(line, connection, exchange);
      } finally {
        line.jobs -= 1;
        if (line.jobs === 0) lines.delete(id);
      }
    },
  };
}
