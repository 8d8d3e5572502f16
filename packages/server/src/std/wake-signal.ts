import type { Clock } from "./clock.ts";

/** Wakes the waiter; a call without a waiter is kept for the next wait. */
export class WakeSignal {
  readonly #clock: Clock;
  #isSet = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Waits until `set` is called, or until this time. */
  async waitUntil(time: number): Promise<void> {
    const leftMs = time - this.#clock.now();
    if (!this.#isSet && leftMs > 0) {
      let cancel: (() => void) | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        cancel = this.#clock.after(leftMs, resolve);
      });
      cancel?.();
      this.#wake = undefined;
    }
    this.#isSet = false;
  }
}
