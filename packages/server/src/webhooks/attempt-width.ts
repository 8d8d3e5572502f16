/**
 * How many first attempts of a stream may be under way. A receiver with a long round trip needs many attempts at once, and one that fails
 * must not hold many. So the width starts small, grows by one with each event that was accepted while others waited, and is halved after
 * one that was not accepted. While this process is busy and events are not late, more attempts would only take time from the callers: the
 * width shrinks by one with each event.
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

  /** Narrows by one, because the process is busy. */
  yield(): void {
    this.#width = Math.max(this.#width - 1, this.#least);
  }

  /** Halves the width, because the receiver does not accept events. */
  shrink(): void {
    this.#width = Math.max(this.#width >> 1, this.#least);
  }
}
