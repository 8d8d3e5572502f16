/**
 * Runs a batch until each command has an answer, whatever the database does.
 *
 *   head moved, key used before    retry at once, under the lock
 *   key must be looked up first    retry at once, under the lock, with the rows as they were
 *   deadlock, lock timeout,        retry after a pause
 *   no connection
 *   full disk, read-only standby   retry after a pause, on a new connection
 *   constraint violated            retry the commands one by one: the one that violates it gets its refusal
 *   reply lost or not understood,  close the connection, then look under the head's lock whether the last command is in the
 *   timeout, internal error        log; never guess
 *
 * A failed batch that was decided on top of another one waits until that one is settled and then retries alone. Bounds: the
 * number of attempts and the patience of the commands; then the callers get a Fault and may retry under the same key.
 */

import { parameter } from "../postgres/columns.ts";
import {
  constraintOf,
  isInternal,
  isLost,
  isUnable,
  type Lane,
  sqlStateOf,
} from "../postgres/database.ts";
import { Bug, present } from "../std/assert.ts";
import { pause } from "../std/clock.ts";
import { Fault, messageOf } from "../std/errors.ts";
import { jitterFraction } from "../std/jitter.ts";
import type { Lanes } from "./cache/lanes.ts";
import type { PlatformState } from "./cache/platform-state.ts";
import {
  type Committed,
  commitBatch,
  KeyLookupRequired,
  lastLogged,
  type ReadyToDecide,
  readyToDecide,
} from "./commit.ts";
import type { Pending } from "./decide.ts";
import type { CommitListener, EngineOptions } from "./engine.ts";
import { HEAD_MOVED, lockHead } from "./head.ts";
import { LostCommits } from "./lost-commits.ts";
import { createRecentTimes } from "./recent-times.ts";
import { begin, commit, endBackend, findLogged } from "./records.ts";
import { refusalOfConstraint } from "./refusal.ts";

export interface RunnerOptions extends EngineOptions {
  readonly lanes: Lanes;
  readonly listeners: readonly CommitListener[];
  readonly onLostCommits: (lost: LostCommits) => void;
  /** Called when the latest batch of a platform was sent and the next may start. */
  readonly onSent: (platform: PlatformState) => void;
  /** Called when a batch failed because of the database and not because of its commands. */
  readonly onTrouble: (platform: PlatformState) => void;
}

export interface BatchRun {
  readonly pendings: readonly Pending[];
  /** The previous batch, while it is in flight. */
  readonly predecessor: Promise<void> | undefined;
}

const MAX_ATTEMPTS = 8;
/**
 * Errors of a batch whose predecessor on the connection failed: the transaction is still open, or a statement was never
 * prepared. They are no fault of this batch's commands.
 */
const PREDECESSOR_FAILED: ReadonlySet<string> = new Set(["25P02", "26000"]);
const IDEMPOTENCY_INDEX = "command_log_idempotency";

/**
 * Serialization failure, deadlock, lock timeout, idle transaction ended. Not the statement timeout (57014): on a distributed database
 * it may end a commit that a node carries out all the same.
 */
const RETRYABLE: ReadonlySet<string> = new Set(["40001", "40P01", "55P03", "25P03"]);

/** PostgreSQL rejected the batch: nothing was committed, and the connection is usable. */
function isRefused(error: unknown): boolean {
  return (
    sqlStateOf(error) !== undefined && !isLost(error) && !isUnable(error) && !isInternal(error)
  );
}

type Outcome =
  | { readonly kind: "settled" }
  /**
   * `lookup-keys`: nothing was sent, because keys must be looked up first. `unknown`: the outcome of the commit could not be
   * determined, so the batch must not run again.
   */
  | {
      readonly kind: "retry-now" | "lookup-keys" | "retry-later" | "isolate" | "unknown";
      readonly error: unknown;
    };

function lastEnqueuedAt(pendings: readonly Pending[]): number {
  let latest = 0;
  for (const { enqueuedAt } of pendings) latest = Math.max(latest, enqueuedAt);
  return latest;
}

export class BatchRunner {
  readonly counts = { batches: 0, commands: 0, retries: 0 };
  readonly commitTimes = createRecentTimes();
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Settles every command of the batch. Never rejects. */
  async run(platform: PlatformState, run: BatchRun): Promise<void> {
    const { pendings } = run;
    try {
      await this.#retry(platform, run);
    } catch (error) {
      this.#options.log.error({ err: messageOf(error) }, "a batch failed on a bug");
      for (const pending of pendings) pending.reject(error);
    } finally {
      platform.recovering.delete(pendings);
    }
  }

  async #retry(platform: PlatformState, run: BatchRun): Promise<void> {
    const { pendings } = run;
    // The deadline of the newest command: older ones get 503 at their own deadline (`#failExpired` of the engine).
    const deadline = lastEnqueuedAt(pendings) + this.#options.patienceMs;
    let failure: unknown;
    let mustPause = false;
    let mustLock = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (mustPause) await this.#backOff(attempt);
      if (this.#options.clock.now() > deadline) break;
      const before = attempt === 0 ? run.predecessor : undefined;
      const outcome = await this.#attempt(platform, { pendings, predecessor: before }, mustLock);
      if (outcome.kind === "settled") return;
      failure = outcome.error;
      mustPause = outcome.kind === "retry-later";
      mustLock ||= outcome.kind === "lookup-keys";
      if (outcome.kind === "unknown") break;
      if (outcome.kind === "isolate") return this.#isolate(platform, pendings, failure);
    }
    const fault = this.#giveUp(platform, failure);
    for (const pending of pendings) pending.reject(fault);
  }

  #giveUp({ id }: PlatformState, failure: unknown): Fault {
    if (failure === undefined) return new Fault("too many commands waited before it");
    this.#options.log.error({ err: messageOf(failure), platform: id }, "a batch was given up");
    return new Fault("the database does not answer", { cause: failure });
  }

  async #attempt(platform: PlatformState, run: BatchRun, mustLock: boolean): Promise<Outcome> {
    const { lanes } = this.#options;
    const { pendings, predecessor } = run;
    let committing: Committed | undefined;
    let sentAt = 0;
    let lane: Lane | undefined;
    try {
      const ready = this.#readyOnTop(platform, run);
      if (ready === undefined) {
        platform.acceptsSuccessor = false;
        await predecessor;
      }
      // A batch that decides on top of another one must not await between here and its decision.
      if (platform.lane === undefined) platform.lane = await lanes.take();
      lane = platform.lane;
      const committed = await commitBatch({
        lane,
        platform,
        pendings,
        ready,
        mustLock,
        options: this.#options,
        underway: (started) => {
          committing = started;
          sentAt = this.#options.clock.now();
          platform.acceptsSuccessor = true;
          this.#options.onSent(platform);
        },
      });
      if (sentAt > 0) this.commitTimes.note(this.#options.clock.now() - sentAt);
      // Both batches may settle at once: answer in the order of arrival.
      await predecessor;
      this.#settle(platform, pendings, committed);
      return { kind: "settled" };
    } catch (error) {
      this.counts.retries++;
      platform.acceptsSuccessor = false;
      platform.recovering.add(run.pendings);
      await predecessor;
      if (error instanceof KeyLookupRequired) return { kind: "lookup-keys", error };
      if (!isRefused(error)) this.#options.onTrouble(platform);
      platform.invalidate();
      if (lane !== undefined && platform.lane === lane) {
        platform.lane = undefined;
        await (isRefused(error) ? lanes.recover(lane) : lanes.discard(lane));
      }
      return this.#classify(error, { platform, pendings, committing, lane });
    }
  }

  /** The opened batch, when it can decide on top of its predecessor, which is still committing. */
  #readyOnTop(
    platform: PlatformState,
    { pendings, predecessor }: BatchRun,
  ): ReadyToDecide | undefined {
    if (predecessor === undefined || platform.lane === undefined) return undefined;
    return readyToDecide({ platform, pendings, options: this.#options });
  }

  /** Maps the error of an attempt to its consequence. */
  async #classify(
    error: unknown,
    context: {
      readonly platform: PlatformState;
      readonly pendings: readonly Pending[];
      readonly committing: Committed | undefined;
      readonly lane: Lane | undefined;
    },
  ): Promise<Outcome> {
    const { platform, pendings, committing, lane } = context;
    const state = sqlStateOf(error);
    const constraint = this.#constraintOf(error);
    if (state === HEAD_MOVED) platform.noteConcurrentWriter();
    if (state === HEAD_MOVED || constraint === IDEMPOTENCY_INDEX)
      return { kind: "retry-now", error };
    // No constraint is deferred, so it was a statement that failed and not the commit.
    if (constraint !== undefined) return { kind: "isolate", error };
    if (state !== undefined && PREDECESSOR_FAILED.has(state)) return { kind: "retry-now", error };
    if (state !== undefined && RETRYABLE.has(state)) return { kind: "retry-later", error };
    if (isUnable(error)) return { kind: "retry-later", error };
    if (isRefused(error)) return { kind: "isolate", error };
    if (error instanceof LostCommits) {
      this.#options.onLostCommits(error);
      return { kind: "unknown", error };
    }
    // An internal error may be caused by one command of several.
    const mayBeOne = error instanceof Bug || (isInternal(error) && pendings.length > 1);
    const notCommitted: Outcome = { kind: mayBeOne ? "isolate" : "retry-later", error };
    if (committing === undefined || lane === undefined) return notCommitted;
    const lost = { committing, backendPid: lane.backendPid };
    const wasCommitted = await this.#wasCommitted(platform, lost);
    if (wasCommitted === "unknown") return { kind: "unknown", error };
    if (!wasCommitted) return notCommitted;
    this.#settle(platform, pendings, committing);
    return { kind: "settled" };
  }

  /**
   * Determines the outcome after a reply that was lost or not understood: under the head's lock, is the batch's last command
   * in the log? The old connection is terminated first, because what was sent on it may not have arrived yet. A commit whose
   * wait for a standby was interrupted is in the log all the same; the commit here waits until the standby has both.
   */
  async #wasCommitted(
    platform: PlatformState,
    { committing, backendPid }: { readonly committing: Committed; readonly backendPid: number },
  ): Promise<boolean | "unknown"> {
    const last = lastLogged(committing);
    if (last === undefined) return false;
    const { lanes } = this.#options;
    const platformId = parameter("uuid", platform.id);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      let lane: Lane | undefined;
      try {
        lane = await lanes.take();
        const [ended] = await lane.run([
          { statement: endBackend, parameters: [parameter("int4", backendPid)] },
        ]);
        if (ended?.rows.some(([isGone]) => isGone !== "t")) throw new Fault("it does not end");
        const results = await lane.run([
          { statement: begin, parameters: [] },
          { statement: lockHead, parameters: [platformId] },
          { statement: findLogged, parameters: [platformId, parameter("int8", last.seq)] },
          { statement: commit, parameters: [] },
        ]);
        lanes.giveBack(lane);
        return results[2]?.rows[0]?.[0] === last.id;
      } catch {
        if (lane !== undefined) await lanes.discard(lane);
        await this.#backOff(attempt);
      }
    }
    return "unknown";
  }

  async #isolate(
    platform: PlatformState,
    pendings: readonly Pending[],
    error: unknown,
  ): Promise<void> {
    if (pendings.length > 1) {
      for (const pending of pendings) {
        const alone = [pending];
        try {
          await this.#retry(platform, { pendings: alone, predecessor: undefined });
        } finally {
          platform.recovering.delete(alone);
        }
      }
      return;
    }
    const only = present(pendings[0], "the command of a batch of one");
    const meant = this.#options.constraintRefusals[this.#constraintOf(error) ?? ""];
    if (meant === undefined || only.forced !== undefined) {
      only.reject(error);
      return;
    }
    only.forced = refusalOfConstraint(meant);
    await this.#retry(platform, { pendings, predecessor: undefined });
  }

  #constraintOf(error: unknown): string | undefined {
    const { constraintRefusals } = this.#options;
    return constraintOf(
      error,
      (name) => name === IDEMPOTENCY_INDEX || Object.hasOwn(constraintRefusals, name),
    );
  }

  #settle(platform: PlatformState, pendings: readonly Pending[], committed: Committed): void {
    platform.place = "regular";
    this.counts.batches++;
    this.counts.commands += pendings.length;
    const last = lastLogged(committed);
    if (last !== undefined) platform.acknowledged = { seq: last.seq, id: last.id };
    for (const [index, pending] of pendings.entries()) {
      const decision = committed.decided.decisions[index];
      if (decision?.kind === "answered") pending.resolve(decision.answered);
      else pending.reject(decision?.error);
    }
    const { dueJobs, events, decided, dirty } = committed;
    const upTo = decided.next.eventSeq;
    const range = { after: upTo - BigInt(events.length), upTo };
    for (const listener of this.#options.listeners) {
      if (dirty.size + events.length > 0)
        listener.committed?.({ platformId: platform.id, rows: dirty, events, ...range });
      if (decided.traced.length > 0) listener.traced?.(platform.id, decided.traced);
      if (dueJobs.length > 0) listener.dueJobs(dueJobs);
      if (events.length > 0) listener.newEvents(platform.id);
    }
  }

  async #backOff(attempt: number): Promise<void> {
    const delayMs = Math.min(2 ** attempt * 5, 500) * (0.5 + jitterFraction() / 2);
    await pause(this.#options.clock, delayMs);
  }
}
