/**
 * What waits for a platform's next batch, in two lines: commands of callers and commands of our own workers. Each line
 * keeps its order. A batch takes half from each as long as both wait, so a thousand outcomes that come in at once
 * do not keep callers waiting behind them, and no number of callers holds up the outcomes.
 */
import type { Pending } from "../decide.ts";

export class CommandQueue {
  #callers: Pending[] = [];
  #workers: Pending[] = [];
  /** Who gets the place that an odd number leaves over: with batches of one, every other batch. */
  #isTurnOfCallers = true;

  get length(): number {
    return this.#callers.length + this.#workers.length;
  }

  push(pending: Pending): void {
    const { actor, isBackground = false } = pending.submission;
    const isOurs = isBackground || actor.kind === "worker";
    (isOurs ? this.#workers : this.#callers).push(pending);
  }

  take(most: number): readonly Pending[] {
    const half = this.#isTurnOfCallers ? Math.ceil(most / 2) : Math.floor(most / 2);
    this.#isTurnOfCallers = !this.#isTurnOfCallers;
    const ofCallers = Math.min(this.#callers.length, Math.max(half, most - this.#workers.length));
    const taken = this.#callers.splice(0, ofCallers);
    taken.push(...this.#workers.splice(0, most - ofCallers));
    return taken;
  }

  /** Takes out those for which this holds. */
  drop(isOver: (pending: Pending) => boolean): readonly Pending[] {
    const over = [...this.#callers, ...this.#workers].filter(isOver);
    this.#callers = this.#callers.filter((pending) => !isOver(pending));
    this.#workers = this.#workers.filter((pending) => !isOver(pending));
    return over;
  }
}
