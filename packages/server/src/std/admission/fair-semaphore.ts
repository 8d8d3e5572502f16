/**
 * A fair semaphore: at most `slots` tasks run at a time, at most `perKey` of one key (a platform). Free slots go round-robin
 * over the keys with queued tasks, so a key with a long queue or slow tasks delays another key by one task at most.
 *
 * Bounds: a cancelled task does not start. A started task keeps its slot until it ends, also when its caller has left. A key
 * is kept in memory only while it has queued or running tasks.
 */
export interface FairSemaphore {
  /** Queues the task and starts it when its key gets a slot. `perKey` is the bound of this key from now on. */
  run<T>(key: string, task: () => Promise<T>, perKey?: number): SemaphoreTask<T>;
}

export interface SemaphoreTask<T> {
  /** Resolves when the task starts. */
  readonly started: Promise<void>;
  readonly result: Promise<T>;
  /** Removes the task from the queue. Has no effect after its start, and answers false then. */
  cancel(): boolean;
}

interface KeyState {
  perKey: number;
  running: number;
  readonly queued: Set<() => void>;
}

export function createFairSemaphore(options: {
  readonly slots: number;
  readonly perKey: number;
}): FairSemaphore {
  /** In round-robin order: the key that was served least recently is first. */
  const keys = new Map<string, KeyState>();
  let free = options.slots;

  function stateOf(key: string): KeyState {
    const known = keys.get(key);
    if (known !== undefined) return known;
    const state: KeyState = { perKey: options.perKey, running: 0, queued: new Set() };
    keys.set(key, state);
    return state;
  }

  /** A served key moves to the end of the map, where this loop reaches it again, until nothing more can start. */
  function startNext(): void {
    for (const [key, state] of keys) {
      if (free === 0) return;
      const [start] = state.queued;
      if (start === undefined || state.running >= state.perKey) continue;
      state.queued.delete(start);
      state.running++;
      free--;
      keys.delete(key);
      keys.set(key, state);
      start();
    }
  }

  function dropIfEmpty(key: string, state: KeyState): void {
    if (state.running === 0 && state.queued.size === 0) keys.delete(key);
  }

  return {
    run(key, task, perKey = options.perKey) {
      const state = stateOf(key);
      state.perKey = perKey;
      let start: () => void = () => undefined;
      const started = new Promise<void>((resolve) => {
        start = resolve;
      });
      const result = started.then(task).finally(() => {
        state.running--;
        free++;
        dropIfEmpty(key, state);
        startNext();
      });
      // The caller may have left after the start; then nothing else handles a rejection.
      result.catch(() => undefined);
      state.queued.add(start);
      startNext();
      return {
        started,
        result,
        cancel() {
          const isRemoved = state.queued.delete(start);
          if (isRemoved) dropIfEmpty(key, state);
          return isRemoved;
        },
      };
    },
  };
}
