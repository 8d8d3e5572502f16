/** Moves the time of this process, for libraries that read it themselves: they and a server in this process read the same. */
const HostDate = Date;

export interface MovedTime {
  /** Moves the time on. */
  pass(ms: number): void;
  /** Gives the process its own time back. */
  restore(): void;
}

export function moveTime(): MovedTime {
  let laterMs = 0;
  class MovedDate extends HostDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [MovedDate.now()] : given) as [number]));
    }
    static override now = () => HostDate.now() + laterMs;
  }
  globalThis.Date = MovedDate as DateConstructor;
  return {
    pass(ms) {
      laterMs += ms;
    },
    restore() {
      globalThis.Date = HostDate;
    },
  };
}
