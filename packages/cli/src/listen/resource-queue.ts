/** Runs work in order per resource and concurrently across resources. Running and waiting work are bounded. */

const AT_ONCE = 32;
/** With this many unfinished events, the stream is not read further. */
const MOST_WAITING = 1_000;

export interface ResourceQueue {
  /** Resolves when there is room for the next event. */
  add(
    event: { readonly sequence: number; readonly resource: string },
    work: () => Promise<void>,
  ): Promise<void>;
  /** The sequence up to which all events are done. */
  doneThrough(): number;
  settled(): Promise<void>;
}

export function createResourceQueue(start: number, stopped: AbortSignal): ResourceQueue {
  const tails = new Map<string, Promise<void>>();
  const open = new Set<number>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let last = start;
  let onChange: (() => void) | undefined;

  async function slot(): Promise<void> {
    if (running < AT_ONCE) running += 1;
    // `release` passes the slot of finished work on to the first waiter.
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function release(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  async function perform(sequence: number, work: () => Promise<void>): Promise<void> {
    await slot();
    try {
      await work();
      open.delete(sequence);
    } finally {
      release();
      onChange?.();
    }
  }

  return {
    async add({ sequence, resource }, work) {
      last = sequence;
      open.add(sequence);
      const before = tails.get(resource) ?? Promise.resolve();
      const own = before.then(() => perform(sequence, work));
      tails.set(resource, own);
      const forget = () => tails.get(resource) === own && tails.delete(resource);
      own.then(forget, forget);
      while (open.size >= MOST_WAITING && !stopped.aborted) {
        await new Promise<void>((resolve) => {
          onChange = resolve;
        });
      }
    },
    // Sequences are added in their order, so the first open one is the lowest.
    doneThrough: () => {
      const [first] = open;
      return first === undefined ? last : first - 1;
    },
    async settled() {
      await Promise.allSettled(tails.values());
    },
  };
}
