/**
 * Prefetches rows that commands need and the cache lacks, on a connection of its own beside the batches. A command waits here
 * for its rows and then joins the queue, so a cache miss holds up neither the head nor other commands. All misses at one time
 * share one round trip, across commands and platforms. Concurrent commands have no order, so those whose rows are
 * cached overtake the waiting one.
 *
 * A fetched row may be older than a batch in flight, so it enters the cache only if no unsettled batch has written it
 * (`PlatformState.wasJustWritten`, `RowCache.openFetch`). A write by another process moves the head: the next commit fails and
 * the cache is dropped.
 *
 * Correctness does not depend on it: rows that cannot be prefetched are loaded under the head's lock. Bounds: waiting commands
 * count towards the limit of the engine's queue; a fetch is abandoned after a second.
 */

import type { Database, Lane } from "../../postgres/database.ts";
import type { Step, StepResult } from "../../postgres/pipeline.ts";
import type { Cancel, Clock } from "../../std/clock.ts";
import { Fault, messageOf } from "../../std/errors.ts";
import { groupBy } from "../../std/group.ts";
import type { Log } from "../../std/log.ts";
import type { Ref, TableRow } from "../../tables/tables.ts";
import type { Pending } from "../decide.ts";
import { isRow, type RowLoad, rowLoad } from "./load-rows.ts";
import type { PlatformState } from "./platform-state.ts";
import type { Fetch } from "./row-cache.ts";

export interface PreloaderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the command may join the queue. */
  readonly ready: (pending: Pending) => void;
}

interface Waiting {
  readonly platform: PlatformState;
  readonly pending: Pending;
  /** Fetches left for this command: which rows it needs can depend on rows that were fetched. */
  roundsLeft: number;
}

const FETCH_ROUNDS = 3;
const FETCH_TIMEOUT_MS = 1_000;

export class Preloader {
  readonly #options: PreloaderOptions;
  readonly #waiting = new Set<Waiting>();
  #isBusy = false;
  #lane: Promise<Lane> | undefined;

  constructor(options: PreloaderOptions) {
    this.#options = options;
  }

  /** Accepts a command that must wait for rows; false for one that may queue at once. */
  take(platform: PlatformState, pending: Pending): boolean {
    if (rowsToFetch(platform, pending).length === 0) return false;
    platform.prefetching++;
    this.#waiting.add({ platform, pending, roundsLeft: FETCH_ROUNDS });
    if (!this.#isBusy) {
      this.#isBusy = true;
      setImmediate(() => void this.#work());
    }
    return true;
  }

  /** Removes and returns the expired commands. */
  drop(isExpired: (pending: Pending) => boolean): readonly Pending[] {
    const expired = [...this.#waiting].filter(({ pending }) => isExpired(pending));
    for (const waiting of expired) this.#release(waiting);
    return expired.map(({ pending }) => pending);
  }

  async close(): Promise<void> {
    await this.#closeLane();
  }

  async #work(): Promise<void> {
    while (this.#waiting.size > 0) {
      const round = [...this.#waiting];
      const isFetched = await this.#fetch(round);
      for (const waiting of round) {
        if (!this.#waiting.has(waiting)) continue;
        const mayWait = isFetched && --waiting.roundsLeft > 0;
        if (mayWait && rowsToFetch(waiting.platform, waiting.pending).length > 0) continue;
        this.#release(waiting);
        this.#options.ready(waiting.pending);
      }
    }
    this.#isBusy = false;
  }

  #release(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.platform.prefetching--;
  }

  /** Whether the fetch succeeded; never rejects. */
  async #fetch(round: readonly Waiting[]): Promise<boolean> {
    const fetches: { readonly load: RowLoad; readonly receiver: Fetch }[] = [];
    for (const [platform, waiting] of groupBy(round, (one) => one.platform)) {
      const refs = waiting.flatMap(({ pending }) => rowsToFetch(platform, pending));
      if (refs.length === 0) continue;
      fetches.push({ load: rowLoad(platform.id, refs), receiver: platform.rows.openFetch(refs) });
    }
    if (fetches.length === 0) return true;
    let cancel: Cancel = () => undefined;
    const timeout = new Promise<never>((_, reject) => {
      const late = () => reject(new Fault("the rows did not arrive in time"));
      cancel = this.#options.clock.after(FETCH_TIMEOUT_MS, late);
    });
    try {
      const steps = fetches.flatMap(({ load }) => load.steps);
      const results = await Promise.race([this.#run(steps), timeout]);
      let from = 0;
      for (const { load, receiver } of fetches) {
        const until = from + load.steps.length;
        load.receive(results.slice(from, until), receiver);
        from = until;
      }
      return true;
    } catch (error) {
      this.#options.log.warn({ err: messageOf(error) }, "rows could not be fetched ahead");
      for (const { receiver } of fetches) receiver.abandon();
      void this.#closeLane();
      return false;
    } finally {
      cancel();
    }
  }

  async #run(steps: readonly Step[]): Promise<readonly StepResult[]> {
    this.#lane ??= this.#options.database.openLane("preload");
    const lane = await this.#lane;
    return lane.run(steps);
  }

  /** Closes the connection, also while it is being opened. */
  async #closeLane(): Promise<void> {
    const opening = this.#lane;
    this.#lane = undefined;
    const lane = await opening?.catch(() => undefined);
    await lane?.close();
  }
}

/** Empty when all rows are cached, or when some must be loaded under the lock, so that fetching ahead is of no use. */
function rowsToFetch(platform: PlatformState, pending: Pending): readonly Ref<TableRow>[] {
  if (platform.head === undefined || !platform.isSoleWriter) return [];
  try {
    return missingRows(platform, pending);
  } catch {
    // A bug of `needs`: the batch calls it again, and the error becomes the outcome of the command.
    return [];
  }
}

function missingRows(platform: PlatformState, pending: Pending): readonly Ref<TableRow>[] {
  const missing: Ref<TableRow>[] = [];
  for (const ref of pending.submission.command.needs(platform.loaded, pending.submission.input)) {
    if (!isRow(ref)) return [];
    if (platform.rows.find(ref) !== undefined || platform.rows.isAbsent(ref)) continue;
    if (platform.wasJustWritten(ref)) return [];
    missing.push(ref);
  }
  return missing;
}
