/**
 * How many first attempts of a stream may be under way. A receiver with a long round trip needs many attempts at once, and
 * one that fails must not hold many. So a stream begins with a few, gets room for one more with each event that was taken
 * while others waited for room, and has half of it left after one that was not taken. While this process has no time
 * and events are not late, more at once would only take it from the callers: the room gets smaller by one with each event.
 *
 * Bounds: never fewer than `least`, never more than `most`.
 */
export class AttemptWidth {
  readonly #least: number;
  readonly #most: number;
  #width: number;

  constructor({ least, most }: { readonly least: number; readonly most: number }) {
    this.#least = least;
    this.#most = most;
    this.#width = least;
  }

  get now(): number {
    return this.#width;
  }

  grow(): void {
    this.#width = Math.min(this.#width + 1, this.#most);
  }

  /** Back by one: there is no time for more. */
  yield(): void {
    this.#width = Math.max(this.#width - 1, this.#least);
  }

  /** By half: the receiver does not accept events. */
  shrink(): void {
    this.#width = Math.max(this.#width >> 1, this.#least);
  }
}
