/**
 * The commands that wait for a platform's next batch, in two FIFO queues: callers and workers. A batch takes half from each
 * while both wait, so that neither a burst of outcomes nor a burst of callers starves the other. It ends before a second large
 * command, whose queue comes first in the next batch.
 */
import type { Pending } from "../decide.ts";

const MOST_LARGE = 1;

/** Calls that come at least so often are taken for those of callers who call again as soon as they are answered. */
const FREQUENT_CALLS_MS = 10;

/** So many commands share the cost of a commit well enough that they wait for no call. */
const ENOUGH_FOR_A_COMMIT = 8;

export class CommandQueue {
  #callers: Pending[] = [];
  #workers: Pending[] = [];
  /**
   * Which queue gets the odd slot of a batch, and its large command. It alternates, so with batches of one command the queues take
   * turns.
   */
  #isTurnOfCallers = true;
  #lastCallAt = Number.NEGATIVE_INFINITY;
  #callBeforeAt = Number.NEGATIVE_INFINITY;

  /** When a caller last submitted a command. */
  get lastCallAt(): number {
    return this.#lastCallAt;
  }

  get length(): number {
    return this.#callers.length + this.#workers.length;
  }

  push(pending: Pending): void {
    const { actor, isBackground = false } = pending.submission;
    const isFromWorker = isBackground || actor.kind === "worker";
    if (!isFromWorker) {
      this.#callBeforeAt = this.#lastCallAt;
      this.#lastCallAt = pending.enqueuedAt;
    }
    (isFromWorker ? this.#workers : this.#callers).push(pending);
  }

  /**
   * Whether the commands of workers, which wait alone, should wait for the next call, so that one commit carries both. They should not when a
   * caller waits as well, when they are many, or when calls are too rare for one to be expected.
   */
  get isCallExpected(): boolean {
    const oldest = this.#workers[0];
    if (oldest === undefined || this.#callers.length > 0) return false;
    return (
      this.#workers.length < ENOUGH_FOR_A_COMMIT &&
      this.#lastCallAt - this.#callBeforeAt <= FREQUENT_CALLS_MS &&
      oldest.enqueuedAt - this.#lastCallAt <= FREQUENT_CALLS_MS
    );
  }

  take(most: number): readonly Pending[] {
    const isTurnOfCallers = this.#isTurnOfCallers;
    const half = isTurnOfCallers ? Math.ceil(most / 2) : Math.floor(most / 2);
    this.#isTurnOfCallers = !isTurnOfCallers;
    const ofCallers = Math.min(this.#callers.length, Math.max(half, most - this.#workers.length));
    const ofWorkers = Math.min(this.#workers.length, most - ofCallers);
    if (isTurnOfCallers) {
      const taken = takeFrom(this.#callers, ofCallers, MOST_LARGE);
      taken.push(...takeFrom(this.#workers, ofWorkers, MOST_LARGE - largeIn(taken)));
      return taken;
    }
    const fromWorkers = takeFrom(this.#workers, ofWorkers, MOST_LARGE);
    const taken = takeFrom(this.#callers, ofCallers, MOST_LARGE - largeIn(fromWorkers));
    taken.push(...fromWorkers);
    return taken;
  }

  /** Removes and returns the expired commands. */
  drop(isExpired: (pending: Pending) => boolean): readonly Pending[] {
    const expired = [...this.#callers, ...this.#workers].filter(isExpired);
    this.#callers = this.#callers.filter((pending) => !isExpired(pending));
    this.#workers = this.#workers.filter((pending) => !isExpired(pending));
    return expired;
  }
}

const isLarge = ({ submission }: Pending) => submission.command.isLarge === true;

/** Removes and returns the first `most` commands; stops before a large one when `mostLarge` large ones are among them. */
function takeFrom(queue: Pending[], most: number, mostLarge: number): Pending[] {
  let large = 0;
  for (let count = 0; count < most; count += 1) {
    const pending = queue[count];
    if (pending === undefined || !isLarge(pending)) continue;
    if (large === mostLarge) return queue.splice(0, count);
    large += 1;
  }
  return queue.splice(0, most);
}

function largeIn(pendings: readonly Pending[]): number {
  return pendings.some(isLarge) ? 1 : 0;
}
