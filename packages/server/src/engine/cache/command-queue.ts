/**
 * The commands that wait for a platform's next batch, in two FIFO queues: callers and workers. A batch takes half from each
 * while both wait, so that neither a burst of outcomes nor a burst of callers starves the other.
 */
import type { Pending } from "../decide.ts";

export class CommandQueue {
  #callers: Pending[] = [];
  #workers: Pending[] = [];
  /** Which queue gets the odd slot of a batch. It alternates, so with batches of one each queue gets every other batch. */
  #isTurnOfCallers = true;

  get length(): number {
    return this.#callers.length + this.#workers.length;
  }

  push(pending: Pending): void {
    const { actor, isBackground = false } = pending.submission;
    const isFromWorker = isBackground || actor.kind === "worker";
    (isFromWorker ? this.#workers : this.#callers).push(pending);
  }

  take(most: number): readonly Pending[] {
    const half = this.#isTurnOfCallers ? Math.ceil(most / 2) : Math.floor(most / 2);
    this.#isTurnOfCallers = !this.#isTurnOfCallers;
    const ofCallers = Math.min(this.#callers.length, Math.max(half, most - this.#workers.length));
    const taken = this.#callers.splice(0, ofCallers);
    taken.push(...this.#workers.splice(0, most - ofCallers));
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
